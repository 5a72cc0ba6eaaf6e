"""Print PDFs: cards, score sheets, the evening, reports, labels and the paper procedure."""
