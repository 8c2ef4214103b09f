package io.fairlead.fleet;

/** How a registration wants callers presented to its cluster ({@code spec.attached.identity}). */
enum IdentityMode {
    IMPERSONATE("Impersonate"),
    PASSTHROUGH("Passthrough"),
    REQUEST_HEADER("RequestHeader");

    private final String word;

    IdentityMode(String word) {
        this.word = word;
    }

    /** That of a word of the schema; what was stored without one is {@link #IMPERSONATE}. */
    static IdentityMode of(String word) {
        for (IdentityMode mode : values()) {
            if (mode.word.equals(word)) {
                return mode;
            }
        }
        return IMPERSONATE;
    }

    @Override
    public String toString() {
        return word;
    }
}
