package io.fairlead.ittests;

import java.util.List;

/**
 * One who sends requests to Fairlead.
 *
 * @param probe with the credential
 * @param user the name as which Fairlead knows them; empty if it does not
 * @param actsAs whom they impersonate; empty if none
 * @param clusters what they may enter
 */
record AuditedCaller(HttpProbe probe, String user, String actsAs, List<String> clusters) {
    boolean isKnown() {
        return !user.isEmpty();
    }

    /** The user whom a cluster sees. */
    String effective() {
        return actsAs.isEmpty() ? user : actsAs;
    }
}
