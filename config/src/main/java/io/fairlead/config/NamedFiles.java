package io.fairlead.config;

/** Checks the files that a configuration names, once its values are well formed. */
@FunctionalInterface
public interface NamedFiles {
    /** Checks none of them. */
    NamedFiles UNCHECKED = (_, _) -> {};

    /** Checks that each can be read. */
    NamedFiles READABLE = new ReadableFiles();

    /** Reports each file that cannot be used. */
    void check(Configuration configuration, Refusal refusal);

    /** Receives problems of files. */
    @FunctionalInterface
    interface Refusal {
        /**
         * Receives one problem.
         *
         * @param path the key that names the file
         * @param message what is wrong and what was expected
         */
        void refuse(String path, String message);
    }
}
