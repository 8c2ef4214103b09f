package io.fairlead.http;

/**
 * The entry of a gateway in {@code Via} (RFC 9110 section 7.6.3), by which it recognises requests that it has sent itself.
 *
 * @param pseudonym what the gateway is called there, a token that no other one has; empty for none
 */
public record Via(String pseudonym) {
    /** Of a client that is no gateway. */
    public static final Via NONE = new Via("");

    public static final FieldName NAME = FieldName.of("via");

    private static final String PROTOCOL = "1.1 ";

    /** What is added to each request. */
    public Fields fields() {
        return pseudonym.isEmpty()
                ? Fields.EMPTY
                : new MutableFields().add(NAME, PROTOCOL + pseudonym).toFields();
    }

    /** Whether a request with these headers has come through the gateway before. */
    public boolean isIn(MutableFields headers) {
        if (pseudonym.isEmpty() || !headers.contains(NAME)) {
            return false;
        }
        for (String value : headers.all(NAME)) {
            for (String entry : value.split(",", -1)) {
                if (isOwn(entry.strip())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** An entry is a protocol, a pseudonym, and maybe a comment. */
    private boolean isOwn(String entry) {
        String[] words = entry.split("\\s+", 3);
        return words.length > 1 && words[1].equals(pseudonym);
    }
}
