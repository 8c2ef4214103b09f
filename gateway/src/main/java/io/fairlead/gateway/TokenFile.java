package io.fairlead.gateway;

import io.fairlead.gateway.authn.Bearer;
import io.fairlead.gateway.authn.TokenAuthenticator;
import io.fairlead.gateway.authn.Verdict;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * What a file says of bearer tokens, as it was last read: the tokens themselves, or who issues them.
 *
 * <p>Threads: as of {@link FileInUse}.
 */
final class TokenFile implements TokenAuthenticator {
    private final FileInUse<? extends TokenAuthenticator> file;

    private TokenFile(FileInUse<? extends TokenAuthenticator> file) {
        this.file = file;
    }

    /**
     * Reads the file for the first time.
     *
     * @param key of the configuration that names it
     */
    static TokenFile open(
            String key, Path file, FileInUse.Reader<? extends TokenAuthenticator> reader, InstantSource clock)
            throws StartFailure {
        return new TokenFile(FileInUse.open(key, file, reader, clock));
    }

    @Override
    public Verdict atOnce(Bearer bearer) {
        return file.current().atOnce(bearer);
    }

    @Override
    public Verdict judge(Bearer bearer) {
        return file.current().judge(bearer);
    }

    /** As of {@link FileInUse#isRefused}. */
    boolean isRefused() {
        return file.isRefused();
    }

    /** As of {@link FileInUse#look}. */
    Look look(boolean isWhole) {
        return file.look(isWhole);
    }
}
