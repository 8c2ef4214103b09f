package io.fairlead.gateway.authn.jwt;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One issuer of tokens, as it is configured.
 *
 * @param url what its tokens and its discovery document must say of themselves, byte for byte
 * @param source where its keys are found
 * @param audiences of which a token must be for one
 * @param rules whom its tokens name
 */
record IssuerSettings(String url, Source source, Set<String> audiences, ClaimRules rules) {
    IssuerSettings {
        audiences = Set.copyOf(audiences);
    }

    /**
     * Where the keys of an issuer are found.
     *
     * @param issuer its URL
     * @param discoveryUrl the URL of its discovery document
     * @param certificateAuthority the PEM certificates that must have signed its server's; null for the system's trust
     */
    record Source(
            String issuer, String discoveryUrl, @Nullable String certificateAuthority) {}
}
