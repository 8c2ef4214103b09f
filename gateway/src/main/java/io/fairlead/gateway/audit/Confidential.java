package io.fairlead.gateway.audit;

import io.fairlead.model.RequestInfo;

/** The resources whose objects are secrets, or hold them where users put them: their bodies are never recorded. */
final class Confidential {
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final String FAIRLEAD = "fairlead.io";

    private Confidential() {}

    static boolean is(RequestInfo info) {
        return switch (info.resource()) {
            case "secrets", "configmaps" -> info.group().isEmpty();
            case "serviceaccounts" ->
                info.group().isEmpty() && info.subresource().equals("token");
            case "tokenreviews", "tokenrequests" -> info.group().equals(AUTHENTICATION);
            case "clusterimports" -> info.group().equals(FAIRLEAD); // Parts of archives.
            default -> false;
        };
    }
}
