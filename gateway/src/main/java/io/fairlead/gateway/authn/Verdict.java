package io.fairlead.gateway.authn;

/** What an authenticator makes of a token. */
public sealed interface Verdict {
    /** It is this user's. */
    record Accepted(Identity identity) implements Verdict {}

    /**
     * It is none that this authenticator accepts, and may be another's.
     *
     * @param why in one word, for the log; names no credential
     */
    record NotMine(String why) implements Verdict {}

    /**
     * It says that it was issued for this authenticator, which does not accept it. No other one is asked: it must not be shown to
     * a cluster.
     *
     * @param why in one word, for the log
     * @param told for its bearer, without the token and what it claims; empty unless the issuer has signed it
     */
    record Refused(String why, String told) implements Verdict {}

    /** That must be asked first: by {@link TokenAuthenticator#judge}. */
    record NotYet() implements Verdict {}
}
