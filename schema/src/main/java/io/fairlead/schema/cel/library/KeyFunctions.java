package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.json.Numbers;

/**
 * Functions of our own for the keys by which objects exclude each other: what means the same becomes the same text, however it is
 * written. {@link Signatures#ofKeys} declares them; rules of definitions do not have them, as kube-apiserver has not.
 *
 * <ul>
 *   <li>{@code selectorOf(dyn)}: a {@code metav1.LabelSelector}, or a map of labels as in a Service's {@code spec.selector}, as a
 *       selector in one line ({@code app=web,tier in (a,b)}). Texts are equal if, and only if, the same labels are selected. A map
 *       with no keys but {@code matchLabels} and {@code matchExpressions}, neither of them a text, is a LabelSelector; so is the
 *       empty map, which selects everything: {@code <everything>}. A contradiction is {@code <nothing>}.
 *   <li>{@code hostOf(string)}: the host of a name, with or without a port, or of a URL, as DNS has it, in lower case and without
 *       the dot at its end; a leading {@code *.} stays. An address as Go prints it, without brackets.
 *   <li>{@code quantityOf(string | int | double)}: a quantity as apimachinery prints it in decimal ({@code 1500m}, {@code 2k}).
 * </ul>
 *
 * Everything else, null among it, is an error that begins with the name of the function.
 */
public final class KeyFunctions {
    /** Of a selector's size; a larger one is refused, having cost so much. See {@link #selectorSize}. */
    public static final int SELECTOR_SIZE_MAX = CanonicalSelector.SIZE_MAX;

    /** Of the text of a selector. */
    public static final int SELECTOR_CHARS_MAX = CanonicalSelector.TEXT_CHARS_MAX;

    /** Of the text from which a host is read; a longer one is refused. */
    public static final int HOST_WRITTEN_CHARS_MAX = HostName.WRITTEN_CHARS_MAX;

    /** Of a host. */
    public static final int HOST_CHARS_MAX = HostName.CHARS_MAX;

    /** Of the text from which a quantity is read; a longer one is refused. */
    public static final int QUANTITY_WRITTEN_CHARS_MAX = Quantity.CHARS_MAX;

    /** Of a quantity: nineteen digits, nine more after the point, a sign and a unit. */
    public static final int QUANTITY_CHARS_MAX = 30;

    private KeyFunctions() {}

    static void addTo(Registry registry) {
        registry.unary("selectorOf", Object.class, CanonicalSelector::text)
                .unary("hostOf", Object.class, KeyFunctions::host)
                .unary("quantityOf", Object.class, KeyFunctions::quantity);
    }

    /** The characters, texts, entries and elements of a selector, or a little more than {@link #SELECTOR_SIZE_MAX}. */
    public static long selectorSize(Object selector) {
        return CanonicalSelector.size(selector);
    }

    private static Object host(Object value, Work work) {
        return value instanceof String text ? HostName.of(text, work) : unexpected("hostOf", "a string", value);
    }

    private static Object quantity(Object value, Work work) {
        return switch (value) {
            case String text -> quantity(text, work);
            case Long number -> quantity(number.toString(), work);
            case Double number
            when Double.isFinite(number) -> quantity(Numbers.shortest(number).toString(), work);
            case Double number -> new CelError("quantityOf: " + number + " is no quantity");
            default -> unexpected("quantityOf", "a string, an int or a double", value);
        };
    }

    private static Object quantity(String text, Work work) {
        work.read(Math.min(text.length(), QUANTITY_WRITTEN_CHARS_MAX));
        work.makeText(QUANTITY_CHARS_MAX);
        return Quantity.parse(text)
                .<Object>map(Quantity::canonical)
                .orElseGet(() -> new CelError(
                        "quantityOf: " + Values.quoted(text) + " is no quantity: " + QuantityFunctions.MALFORMED));
    }

    private static CelError unexpected(String function, String expected, Object value) {
        return new CelError(function + ": expected " + expected + ", got " + Values.typeName(value));
    }
}
