"""What finished tables come to: results, ratings, careers, leaderboards."""
