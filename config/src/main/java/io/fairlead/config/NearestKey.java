package io.fairlead.config;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known key that a misspelt one most resembles, by the least number of single-character edits (Levenshtein). */
final class NearestKey {
    private NearestKey() {}

    /** Empty if none is near: more edits than a third of the key's last word mean another word. */
    static Optional<String> to(String path) {
        int editsMax = 1 + lastWord(path).length() / 3;
        return Key.ALL.stream()
                .map(Key::path)
                .filter(known -> isNear(path, known, editsMax))
                .min(Comparator.comparingInt(known -> distance(path, known)));
    }

    private static boolean isNear(String path, String known, int editsMax) {
        return edits(path.toLowerCase(Locale.ROOT), known.toLowerCase(Locale.ROOT)) <= editsMax
                || edits(lastWord(path), lastWord(known)) <= editsMax;
    }

    /** Compares whole paths, and last words alone, so that it finds a key in the wrong section too. */
    private static int distance(String path, String known) {
        int whole = edits(path.toLowerCase(Locale.ROOT), known.toLowerCase(Locale.ROOT));
        int last = 2 + edits(lastWord(path), lastWord(known));
        return Math.min(whole, last);
    }

    private static String lastWord(String path) {
        return path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    private static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            row[column] = column;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
