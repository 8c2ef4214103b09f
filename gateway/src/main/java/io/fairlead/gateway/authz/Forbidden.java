package io.fairlead.gateway.authz;

import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.UserInfo;
import java.util.List;

/** The 403 of a request that rights do not cover (apiserver {@code endpoints/handlers/responsewriters/errors.go}). */
final class Forbidden {
    private Forbidden() {}

    static Status status(UserInfo user, RequestInfo info, String reason) {
        String sentence = "User \"" + user.name() + "\" cannot " + info.verb() + " " + what(info)
                + (reason.isEmpty() ? "" : ": " + reason);
        if (!info.resourceRequest()) {
            return new Status(
                    403, "Forbidden", "forbidden: " + sentence, new Status.Details("", "", "", "", List.of(), 0));
        }
        String subject = info.name().isEmpty()
                ? info.groupResource() + " is forbidden: "
                : info.groupResource() + " \"" + info.name() + "\" is forbidden: ";
        return new Status(
                403,
                "Forbidden",
                subject + sentence,
                new Status.Details(info.name(), info.group(), info.resource(), "", List.of(), 0));
    }

    private static String what(RequestInfo info) {
        if (!info.resourceRequest()) {
            return "path \"" + info.path() + "\"";
        }
        String resource = info.subresource().isEmpty() ? info.resource() : info.resource() + "/" + info.subresource();
        String scope =
                info.namespace().isEmpty() ? "at the cluster scope" : "in the namespace \"" + info.namespace() + "\"";
        return "resource \"" + resource + "\" in API group \"" + info.group() + "\" " + scope;
    }
}
