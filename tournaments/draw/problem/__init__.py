"""What is asked: people, rules, tables; read from JSON, checked, and made into numbers."""
