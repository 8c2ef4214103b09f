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

    /** Takes what is wrong with a file. */
    @FunctionalInterface
    interface Refusal {
        /**
         * Takes one fault.
         *
         * @param path the key that names the file
         * @param message what is wrong and what was expected
         */
        void refuse(String path, String message);
    }
}
