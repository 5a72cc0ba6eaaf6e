"""Make, keep, queue and speak announcements."""
