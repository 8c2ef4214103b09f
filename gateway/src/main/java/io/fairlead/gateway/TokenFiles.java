package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.config.Configuration;
import io.fairlead.gateway.authn.StaticTokens;
import io.fairlead.gateway.authn.TokenAuthenticator;
import io.fairlead.gateway.authn.jwt.JwtIssuers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files that say whose bearer tokens are.
 *
 * @param tokens that of {@code tokenAuthFile}, null if there is none
 * @param authentication that of {@code authenticationConfig}, null if there is none
 */
record TokenFiles(@Nullable TokenFile tokens, @Nullable TokenFile authentication) {
    /** Reads those that are configured. */
    static TokenFiles open(Configuration configuration, JwtIssuers.Maker issuers, InstantSource clock)
            throws StartFailure {
        return new TokenFiles(
                open("tokenAuthFile", configuration.tokenAuthFile(), StaticTokens::parse, clock),
                open(
                        "authenticationConfig",
                        configuration.authenticationConfig(),
                        text -> issuers.read(text.getBytes(UTF_8)),
                        clock));
    }

    private static @Nullable TokenFile open(
            String key, @Nullable Path file, FileInUse.Reader<? extends TokenAuthenticator> reader, InstantSource clock)
            throws StartFailure {
        return file == null ? null : TokenFile.open(key, file, reader, clock);
    }

    /**
     * What they say, and others do, in the order in which it is asked.
     *
     * @param ofAccounts the tokens of hosted clusters' ServiceAccounts
     * @param reviewed those of which attached clusters say whose they are; asked last, since they see them
     */
    List<TokenAuthenticator> authenticators(TokenAuthenticator ofAccounts, TokenAuthenticator reviewed) {
        return Stream.of(tokens, ofAccounts, authentication, reviewed)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Whether one of them has changed and cannot be used any more. */
    boolean isAnyRefused() {
        return files().anyMatch(TokenFile::isRefused);
    }

    Look lookAtTokens(boolean isWhole) {
        return look(tokens, isWhole);
    }

    Look lookAtAuthentication(boolean isWhole) {
        return look(authentication, isWhole);
    }

    private static Look look(@Nullable TokenFile file, boolean isWhole) {
        return file == null ? new Look.Same() : file.look(isWhole);
    }

    private Stream<TokenFile> files() {
        return Stream.of(tokens, authentication).filter(Objects::nonNull);
    }
}
