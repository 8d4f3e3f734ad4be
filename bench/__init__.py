"""What Countersign costs, measured beside the floor under it in the same run: only ratios count."""
