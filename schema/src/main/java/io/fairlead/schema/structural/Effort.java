package io.fairlead.schema.structural;

/**
 * What judging one object, or one definition, may cost, in steps: a value, or a name, held against a part of a schema, a tenth of a
 * microsecond each. Alternatives multiply: ten thousand of them for each of ten thousand elements fit into a definition and an
 * object of ordinary size. Expressions are counted by what they are and by what they are compared with. One thread.
 */
public final class Effort {
    /** About a second. The largest objects that people write take a hundredth of it. */
    static final long STEPS_MAX = 10_000_000;

    /** A step goes over so many characters of a text of which only the length or the writing counts. */
    static final int CHARS_FOR_A_STEP = 32;

    private long left;

    public Effort() {
        this(STEPS_MAX);
    }

    Effort(long stepsMax) {
        left = stepsMax;
    }

    /**
     * Is about to take steps.
     *
     * @throws ExceededException if there are not so many left
     */
    void spend(long steps) {
        left -= steps;
        if (left < 0) {
            throw new ExceededException();
        }
    }

    /** A value is not judged to its end. Has no stack trace, since it is not a fault. */
    static final class ExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ExceededException() {
            super("too many steps", null, false, false);
        }
    }
}
