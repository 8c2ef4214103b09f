package io.fairlead.gateway.authn;

/** Identifies the user of a bearer token. Any thread. */
public interface TokenAuthenticator {
    /** What is known of a token at once. Never blocks: it is asked on event loops. */
    Verdict atOnce(Bearer bearer);

    /** The same, after everything was asked that must be: never {@link Verdict.NotYet}. Can block, within a bound. */
    default Verdict judge(Bearer bearer) {
        return atOnce(bearer);
    }
}
