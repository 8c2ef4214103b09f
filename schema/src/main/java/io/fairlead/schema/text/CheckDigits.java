package io.fairlead.schema.text;

/** Numbers that end with a digit computed from the others. */
final class CheckDigits {
    private CheckDigits() {}

    static boolean isIsbn10(String text) {
        String digits = withoutSeparators(text);
        if (!digits.matches("[0-9]{9}[0-9X]")) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < 9; i++) {
            sum += (i + 1) * digit(digits, i);
        }
        sum += 10 * (digits.charAt(9) == 'X' ? 10 : digit(digits, 9));
        return sum % 11 == 0;
    }

    static boolean isIsbn13(String text) {
        String digits = withoutSeparators(text);
        if (!digits.matches("[0-9]{13}")) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            sum += (i % 2 == 0 ? 1 : 3) * digit(digits, i);
        }
        return (10 - sum % 10) % 10 == digit(digits, 12);
    }

    static boolean isLuhn(String digits) {
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digit(digits, digits.length() - 1 - i);
            int doubled = i % 2 == 0 ? digit : 2 * digit;
            sum += doubled > 9 ? doubled - 9 : doubled;
        }
        return sum % 10 == 0;
    }

    private static String withoutSeparators(String text) {
        return text.replaceAll("[\\s-]+", "");
    }

    private static int digit(String digits, int index) {
        return digits.charAt(index) - '0';
    }
}
