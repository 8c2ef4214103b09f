package io.fairlead.gateway;

/** The result of a check of files that may have been replaced. */
sealed interface Look {
    /** Unchanged. */
    record Same() implements Look {}

    /** Changed, and in use from now on. */
    record Used() implements Look {}

    /**
     * Unusable; the previous content stays in use.
     *
     * @param problem the file and the reason; contains no credential
     */
    record Refused(String problem) implements Look {}
}
