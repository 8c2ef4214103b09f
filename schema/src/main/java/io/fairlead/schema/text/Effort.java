package io.fairlead.schema.text;

/**
 * What judging one object, or one definition, may cost, in steps: a value, or a name, held against a part of a schema, a tenth of a
 * microsecond each. Alternatives multiply: ten thousand of them for each of ten thousand elements fit into a definition and an
 * object of ordinary size. Expressions are counted by what they are and by what they are compared with. One thread.
 */
public final class Effort {
    /** About a second. The largest objects that people write take a hundredth of it. */
    public static final long STEPS_MAX = 10_000_000;

    /** A step goes over so many characters of a text of which only the length or the writing counts. */
    public static final int CHARS_FOR_A_STEP = 32;

    private long left;

    /** The effort of one object or definition. */
    public Effort() {
        this(STEPS_MAX);
    }

    /** As {@link #Effort()}, with another bound. */
    public Effort(long stepsMax) {
        left = stepsMax;
    }

    /**
     * Is about to take steps.
     *
     * @throws ExceededException if there are not so many left
     */
    public void spend(long steps) {
        left -= steps;
        if (left < 0) {
            throw new ExceededException();
        }
    }

    /** A value is not judged to its end. Has no stack trace, since it is not a fault. */
    public static final class ExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private ExceededException() {
            super("too many steps", null, false, false);
        }
    }
}
