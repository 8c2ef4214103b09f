package io.fairlead.schema.cel.evaluation;

import io.fairlead.schema.cel.value.CelError;
import java.util.Optional;

/** Operators that do not need all their operands. They cost nothing themselves. */
final class Logic {
    private Logic() {}

    /**
     * {@code left && right} or {@code left || right}.
     *
     * @param decisive the value of one operand that makes the other's unimportant, even if it is an error
     */
    record Junction(Step left, Step right, boolean decisive) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            Object first = left.evaluate(frame);
            if (first.equals(decisive)) {
                return decisive;
            }
            Object second = right.evaluate(frame);
            if (second.equals(decisive)) {
                return decisive;
            }
            if (first instanceof Boolean && second instanceof Boolean) {
                return !decisive;
            }
            Object fault = first instanceof Boolean ? second : first;
            return fault instanceof CelError ? fault : CelError.NO_SUCH_OVERLOAD;
        }
    }

    /** {@code condition ? then : otherwise}. */
    record Conditional(Step condition, Step then, Step otherwise) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            return switch (condition.evaluate(frame)) {
                case Boolean chosen -> (chosen ? then : otherwise).evaluate(frame);
                case CelError error -> error;
                default -> CelError.NO_SUCH_OVERLOAD;
            };
        }

        @Override
        public boolean isAttribute() {
            return true;
        }
    }

    /** Whether a loop goes on: unless its condition is false. */
    record NotStrictlyFalse(Step condition) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            boolean goesOn = !condition.evaluate(frame).equals(false);
            frame.charge(1);
            return goesOn;
        }
    }

    /**
     * {@code optional.or(other)} or {@code optional.orValue(other)}.
     *
     * @param unwraps whether a value that is there is taken out
     */
    record Alternative(Step optional, Step other, boolean unwraps) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            return switch (optional.evaluate(frame)) {
                case Optional<?> present when present.isPresent() -> unwraps ? present.get() : present;
                case Optional<?> _ -> other.evaluate(frame);
                case CelError error -> error;
                default -> CelError.NO_SUCH_OVERLOAD;
            };
        }
    }
}
