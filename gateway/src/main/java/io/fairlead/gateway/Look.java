package io.fairlead.gateway;

/** What became of a look at files that may have been replaced. */
sealed interface Look {
    /** They say what they said. */
    record Same() implements Look {}

    /** They say something else, which is used from now on. */
    record Used() implements Look {}

    /**
     * They cannot be used, and what is in use stays.
     *
     * @param problem the file, and why; no credential
     */
    record Refused(String problem) implements Look {}
}
