package io.fairlead.schema.text;

import java.util.ArrayDeque;
import java.util.Deque;

/*
 * Problem: the engine accepts expressions whose programs are millions of times larger than their text, since counted
 * repeats multiply when they nest, and only finds out by building them. So the text is measured first, in one pass and
 * without recursion, by the rules of Go: a repeat is refused if the product of the nested counts is above 1,000
 * (regexp/syntax/parse.go, repeatIsValid), and so is an expression that nests deeper than 1,000 groups (checkHeight).
 * Go allows programs of 3,355,443 instructions (checkSize) where 20,000 are allowed here: ten times what the largest
 * published definitions need.
 *
 * Only what decides the cost is understood. An expression that is malformed in another way gets some cost; the engine
 * refuses it afterwards.
 */
/**
 * What a regular expression costs once it is compiled, judged by its text.
 *
 * @param instructions of its program, estimated from above
 * @param bytes that the compiled expression holds, estimated from above
 * @param problem why it may not be compiled, as Go words it; empty if it may
 */
record PatternCost(long instructions, long bytes, String problem) {
    /** The largest product of nested counts. */
    static final int REPEAT_MAX = 1000;

    /** How deeply groups may nest. */
    static final int DEPTH_MAX = 1000;

    static final long INSTRUCTIONS_MAX = 20_000;

    /** Ranges of characters that an expression may name; a class of Unicode has up to some hundred. */
    static final long CLASS_BYTES_MAX = 4L * 1024 * 1024;

    /** An instruction with its share of a matcher's two queues, of which the engine keeps one for later matches. */
    private static final long INSTRUCTION_BYTES = 128;

    private static final String ERROR = "error parsing regexp: ";

    static PatternCost of(String pattern) {
        return new Reader(pattern).read();
    }

    private static final class Reader {
        /** Two bounds of four bytes for a character or a range of a class. */
        private static final int RANGE_BYTES = 8;

        private static final int UNICODE_CLASS_BYTES = 8 * 1024;

        private final String text;
        private final Deque<Group> outer = new ArrayDeque<>();
        private Group group = new Group();
        private int at;
        private long classBytes;
        private String problem = "";

        Reader(String text) {
            this.text = text;
        }

        PatternCost read() {
            while (at < text.length() && problem.isEmpty()) {
                step(text.charAt(at));
                if (group.cost > INSTRUCTIONS_MAX
                        || group.atomCost > INSTRUCTIONS_MAX
                        || classBytes > CLASS_BYTES_MAX) {
                    problem = ERROR + "expression too large";
                }
            }
            outer.addLast(group);
            long instructions = 0;
            for (Group unclosed : outer) {
                unclosed.finishAtom();
                instructions += unclosed.cost + 2;
            }
            return new PatternCost(
                    instructions, instructions * INSTRUCTION_BYTES + classBytes + text.length(), problem);
        }

        private void step(char c) {
            switch (c) {
                case '(' -> open();
                case ')' -> close();
                case '|' -> {
                    at++;
                    group.atom(1, 1);
                    group.finishAtom();
                }
                case '*', '+', '?' -> {
                    at++;
                    group.atomCost++;
                }
                case '{' -> repeat();
                case '[' -> characterClass();
                case '\\' -> escape();
                default -> literal();
            }
        }

        private void literal() {
            at++;
            group.atom(1, 1);
        }

        private void open() {
            at++;
            outer.addLast(group);
            group = new Group();
            if (outer.size() > DEPTH_MAX) {
                problem = ERROR + "expression nests too deeply: `" + text + "`";
            }
            if (text.startsWith("?", at)) {
                skipFlagsOrName();
            }
        }

        /** What stands between {@code (?} and the group's content: flags, or a name. */
        private void skipFlagsOrName() {
            while (at < text.length() && ":)>".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            if (at < text.length() && text.charAt(at) != ')') {
                at++;
            }
        }

        private void close() {
            at++;
            if (outer.isEmpty()) {
                return;
            }
            Group closed = group;
            closed.finishAtom();
            group = outer.removeLast();
            group.atom(closed.cost + 2, closed.product);
        }

        private void repeat() {
            int end = text.indexOf('}', at);
            String counts = end < 0 ? "" : text.substring(at + 1, end);
            int comma = counts.indexOf(',');
            String least = comma < 0 ? counts : counts.substring(0, comma);
            String most = comma < 0 ? counts : counts.substring(comma + 1);
            if (!isCount(least) || !(isCount(most) || (comma >= 0 && most.isEmpty()))) {
                literal();
                return;
            }
            at = end + 1;
            int min = count(least);
            int max = most.isEmpty() ? -1 : count(most);
            if (!group.repeat(min, max)) {
                problem = ERROR + "invalid repeat count: `{" + counts + "}`";
            }
        }

        /** As Go reads counts: digits without a leading zero. */
        private static boolean isCount(String digits) {
            return !digits.isEmpty()
                    && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                    && (digits.length() == 1 || digits.charAt(0) != '0');
        }

        private static int count(String digits) {
            return digits.length() > 4 ? Integer.MAX_VALUE : Integer.parseInt(digits);
        }

        private void characterClass() {
            int start = ++at;
            if (text.startsWith("^", at)) {
                start = ++at;
            }
            while (at < text.length() && (text.charAt(at) != ']' || at == start)) {
                classBytes += RANGE_BYTES;
                if (text.charAt(at) == '\\') {
                    skipEscape();
                } else if (text.startsWith("[:", at) && text.indexOf(":]", at + 2) > 0) {
                    at = text.indexOf(":]", at + 2) + 2;
                } else {
                    at++;
                }
            }
            at++;
            group.atom(1, 1);
        }

        private void escape() {
            if (text.startsWith("\\Q", at)) {
                int end = text.indexOf("\\E", at);
                int literals = (end < 0 ? text.length() : end) - at - 2;
                at = end < 0 ? text.length() : end + 2;
                group.atom(literals, 1);
                return;
            }
            skipEscape();
            group.atom(1, 1);
        }

        private void skipEscape() {
            char kind = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
            boolean unicodeClass = kind == 'p' || kind == 'P';
            at = Math.min(at + 2, text.length());
            if (unicodeClass) {
                classBytes += UNICODE_CLASS_BYTES;
            }
            if (unicodeClass || kind == 'x') {
                int end = text.startsWith("{", at) ? text.indexOf('}', at) : -1;
                at = end < 0 ? at : end + 1;
            }
        }
    }

    /** What was read of one group: the last atom apart, since a repeat may follow it. */
    private static final class Group {
        private long cost;
        private long product = 1;
        private long atomCost;
        private long atomProduct = 1;

        void atom(long newCost, long newProduct) {
            finishAtom();
            atomCost = newCost;
            atomProduct = newProduct;
        }

        void finishAtom() {
            cost += atomCost;
            product = Math.max(product, atomProduct);
            atomCost = 0;
            atomProduct = 1;
        }

        /** Repeats the last atom, without an end if {@code max} is negative; whether that is allowed. */
        boolean repeat(int min, int max) {
            if (min > REPEAT_MAX || max > REPEAT_MAX || (max >= 0 && min > max)) {
                return false;
            }
            if (max == 0) {
                atomProduct = 1;
                return true;
            }
            atomProduct *= Math.max(1, max < 0 ? min : max);
            atomCost = max < 0 ? atomCost * Math.max(1, min) + 1 : atomCost * max + max - min;
            return atomProduct <= REPEAT_MAX || (min < 2 && max < 2);
        }
    }
}
