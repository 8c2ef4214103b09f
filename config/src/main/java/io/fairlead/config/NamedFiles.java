package io.fairlead.config;

/** Looks into the files that a configuration names, once its values are well formed. */
@FunctionalInterface
public interface NamedFiles {
    /** Looks into none. */
    NamedFiles UNREAD = (_, _) -> {};

    /** Tells of each file that cannot be used. Those that cannot be read are told of already. */
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
