"""Papers as PDF: cards, score sheets, the evening, reports, labels and the paper procedure."""
