package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.authn.StaticTokens;
import io.fairlead.gateway.authn.TokenAuthenticator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The bearer tokens of {@code tokenAuthFile} as they were last read.
 *
 * <p>Threads: {@link #authenticate} is for any, {@link #look} for one at a time.
 */
final class TokenFile implements TokenAuthenticator {
    /** A file changed more recently may still be being written: half a group's name is another group's. */
    private static final Duration REST = Duration.ofSeconds(2);

    private final Path file;
    private final InstantSource clock;
    private volatile Read inUse;

    /**
     * What was read.
     *
     * @param digest of the text, which is not kept itself since it holds the tokens
     */
    private record Read(StaticTokens tokens, String digest) {
        static Read of(String text) {
            return new Read(StaticTokens.parse(text), digestOf(text));
        }
    }

    private TokenFile(Path file, InstantSource clock, Read inUse) {
        this.file = file;
        this.clock = clock;
        this.inUse = inUse;
    }

    /** Reads the file for the first time. */
    static TokenFile open(Path file, InstantSource clock) throws StartFailure {
        try {
            return new TokenFile(file, clock, Read.of(text(file)));
        } catch (IllegalArgumentException invalid) {
            throw new StartFailure(problem(file, invalid), "");
        }
    }

    @Override
    public @Nullable Identity authenticate(String token) {
        return inUse.tokens().authenticate(token);
    }

    /**
     * Applies the file's current content.
     *
     * @param isWhole whether it is known to be complete despite a recent change
     */
    Look look(boolean isWhole) {
        try {
            FileTime before = Files.getLastModifiedTime(file);
            String text = text(file);
            if (digestOf(text).equals(inUse.digest()) || !(isWhole || hasRested(before))) {
                return new Look.Same();
            }
            inUse = Read.of(text);
            return new Look.Used();
        } catch (StartFailure unreadable) {
            return new Look.Refused(String.valueOf(unreadable.getMessage()));
        } catch (IOException unreadable) {
            return new Look.Refused(ServingIdentity.unreadable("tokenAuthFile", file, unreadable));
        } catch (IllegalArgumentException invalid) {
            return new Look.Refused(problem(file, invalid));
        }
    }

    /** Whether nothing was written for a while before the text was read, nor since. */
    private boolean hasRested(FileTime before) throws IOException {
        return Files.getLastModifiedTime(file).equals(before)
                && Duration.between(before.toInstant(), clock.instant()).abs().compareTo(REST) >= 0;
    }

    private static String text(Path file) throws StartFailure {
        return ServingIdentity.read("tokenAuthFile", file);
    }

    private static String problem(Path file, IllegalArgumentException invalid) {
        return "tokenAuthFile: " + file + ": " + invalid.getMessage();
    }

    private static String digestOf(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
