package io.fairlead.schema.field;

import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The problems of one object, collected in order. Their texts together are bounded: a value that a client chose may be in
 * each of them. Belongs to one thread.
 */
public final class FieldErrors implements Iterable<FieldError> {
    /** Of the texts together; the problem that goes beyond is the last that is kept. */
    private static final int CHARS_MAX = 1 << 20;

    private final List<FieldError> errors = new ArrayList<>();
    private final int max;
    private int chars;

    /** Problems of any number. */
    public FieldErrors() {
        this(Integer.MAX_VALUE);
    }

    /** The first so many problems, where a client chooses how many there are; the others are found when these are mended. */
    public FieldErrors(int max) {
        this.max = max;
    }

    /** A malformed value; one that is missing is shown as null, here and below. */
    public void invalid(FieldPath field, JsonNode value, String detail) {
        add(FieldError.Type.INVALID, field, value, detail);
    }

    /** A malformed string. */
    public void invalid(FieldPath field, String value, String detail) {
        invalid(field, string(value), detail);
    }

    /** A malformed string, once for each thing that is wrong with it; nothing if there is none. */
    public void invalid(FieldPath field, String value, List<String> details) {
        details.forEach(detail -> invalid(field, value, detail));
    }

    /** A malformed value, once for each thing that is wrong with it; nothing if there is none. */
    public void invalid(FieldPath field, JsonNode value, List<String> details) {
        details.forEach(detail -> invalid(field, value, detail));
    }

    /** A value of another type than the schema's. */
    public void typeInvalid(FieldPath field, JsonNode value, String detail) {
        add(FieldError.Type.TYPE_INVALID, field, value, detail);
    }

    /** A value that refers to something that is not there. */
    public void notFound(FieldPath field, String value) {
        add(FieldError.Type.NOT_FOUND, field, string(value), "");
    }

    /** A value that must be given and is not. */
    public void required(FieldPath field, String detail) {
        add(FieldError.Type.REQUIRED, field, null, detail);
    }

    /** A value that occurs again where each may occur once. */
    public void duplicate(FieldPath field, JsonNode value) {
        add(FieldError.Type.DUPLICATE, field, value, "");
    }

    /** A string that occurs again. */
    public void duplicate(FieldPath field, String value) {
        duplicate(field, string(value));
    }

    /** A value that is none of a closed set. */
    public void notSupported(FieldPath field, JsonNode value, Collection<String> supported) {
        String detail = supported.isEmpty()
                ? ""
                : supported.stream().map(GoText::quote).collect(Collectors.joining(", ", "supported values: ", ""));
        add(FieldError.Type.NOT_SUPPORTED, field, value, detail);
    }

    /** A string that is none of a closed set. */
    public void notSupported(FieldPath field, String value, Collection<String> supported) {
        notSupported(field, string(value), supported);
    }

    /** A value that may not be given here. */
    public void forbidden(FieldPath field, String detail) {
        add(FieldError.Type.FORBIDDEN, field, null, detail);
    }

    /** A value of too many bytes; the value is not shown. */
    public void tooLong(FieldPath field, long bytesMax) {
        String detail = "may not be more than " + bytesMax + (bytesMax == 1 ? " byte" : " bytes");
        add(FieldError.Type.TOO_LONG, field, null, detail);
    }

    /** A list or map of too many items. */
    public void tooMany(FieldPath field, long actual, long itemsMax) {
        String detail = "must have at most " + itemsMax + (itemsMax == 1 ? " item" : " items");
        add(FieldError.Type.TOO_MANY, field, Json.nodes().numberNode(actual), detail);
    }

    /** A fault that is not the user's. */
    public void internal(FieldPath field, String detail) {
        add(FieldError.Type.INTERNAL, field, null, detail);
    }

    private void add(FieldError.Type type, FieldPath field, @Nullable JsonNode value, String detail) {
        if (!isFull()) {
            boolean isMissing = value != null && value.isMissingNode();
            add(new FieldError(type, field.toString(), isMissing ? Json.nodes().nullNode() : value, detail));
        }
    }

    public void add(FieldError error) {
        if (!isFull()) {
            errors.add(error);
            chars += error.toString().length();
        }
    }

    public void addAll(FieldErrors others) {
        others.errors.forEach(this::add);
    }

    /** Whether further problems are not kept, so that none need be looked for. */
    public boolean isFull() {
        return errors.size() >= max || chars >= CHARS_MAX;
    }

    public boolean isEmpty() {
        return errors.isEmpty();
    }

    public int size() {
        return errors.size();
    }

    /** What was found, read-only, in order. */
    public List<FieldError> list() {
        return Collections.unmodifiableList(errors);
    }

    @Override
    public Iterator<FieldError> iterator() {
        return list().iterator();
    }

    /** Orders the problems by their text, as upstream does where it walks maps. */
    public void sort() {
        errors.sort((a, b) -> a.toString().compareTo(b.toString()));
    }

    /** Orders the problems from the one with an index on; those that are equal stay as they are. */
    public void sortFrom(int index, Comparator<FieldError> order) {
        errors.subList(index, errors.size()).sort(order);
    }

    /** Each distinct problem once, several in brackets: {@code [a, b]}. */
    public String message() {
        Set<String> texts = new LinkedHashSet<>();
        errors.forEach(error -> texts.add(error.toString()));
        return texts.size() == 1 ? texts.iterator().next() : texts.stream().collect(Collectors.joining(", ", "[", "]"));
    }

    /** The 422 about the object with these problems. */
    public Status status(String group, String kind, String name) {
        String qualifiedKind = group.isEmpty() ? kind : kind + "." + group;
        String subject = qualifiedKind + " " + GoText.quote(name) + " is invalid";
        List<Status.Cause> causes = errors.stream().map(FieldError::cause).toList();
        return new Status(
                422,
                "Invalid",
                isEmpty() ? subject : subject + ": " + message(),
                new Status.Details(name, group, kind, "", causes, 0));
    }

    /**
     * Goes on only if nothing was found.
     *
     * @throws StatusException 422 with {@link #status}
     */
    public void throwIfAny(String group, String kind, String name) {
        if (!isEmpty()) {
            throw new StatusException(status(group, kind, name));
        }
    }

    @Override
    public String toString() {
        return errors.toString();
    }

    private static JsonNode string(String value) {
        return Json.nodes().stringNode(value);
    }
}
