"""`vitrail lab`: runs tests on several hosts that start at the same instant, and collects the results in one folder."""
