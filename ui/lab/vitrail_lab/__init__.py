"""`vitrail lab`: tests on several hosts that begin at one instant, and what they measured in one folder."""
