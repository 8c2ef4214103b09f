package io.fairlead.gateway.impersonate;

import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The rights that impersonation requires: a verb on the user, ServiceAccount or node, the uid, each group and each extra value, in
 * this order (apiserver {@code endpoints/filters/impersonation}).
 */
final class ImpersonationRights {
    private static final String VERB = "impersonate";
    private static final String AUTHENTICATION = "authentication.k8s.io";

    private final String verb;
    /** The API group of users, ServiceAccounts, nodes and groups. */
    private final String group;

    private ImpersonationRights(String verb, String group) {
        this.verb = verb;
        this.group = group;
    }

    /** By the verb {@code impersonate}, whatever is then asked for. */
    static List<RequestInfo> of(UserInfo wanted) {
        ImpersonationRights rights = new ImpersonationRights(VERB, "");
        return rights.on(rights.user(wanted.name()), wanted);
    }

    /** By the verbs of constrained impersonation, for one request: to do it as such a user, and to be this one. */
    static List<RequestInfo> of(ConstrainedMode mode, UserInfo wanted, RequestInfo request) {
        ImpersonationRights rights = new ImpersonationRights(VERB + ":" + mode.word(), AUTHENTICATION);
        RequestInfo subject = mode == ConstrainedMode.ARBITRARY_NODE
                ? rights.right(AUTHENTICATION, "", "nodes", "", ConstrainedMode.node(wanted.name()))
                : rights.user(wanted.name());
        List<RequestInfo> all = new ArrayList<>();
        all.add(doing(request, VERB + "-on:" + mode.word() + ":" + request.verb()));
        all.addAll(rights.on(subject, wanted));
        return all;
    }

    /** What is asked for, under another verb; of a resource without the path, which names nothing else. */
    private static RequestInfo doing(RequestInfo request, String verb) {
        return request.resourceRequest()
                ? new RequestInfo(
                        true,
                        "",
                        verb,
                        request.apiPrefix(),
                        request.group(),
                        request.version(),
                        request.namespace(),
                        request.resource(),
                        request.subresource(),
                        request.name(),
                        "")
                : RequestInfo.nonResource(request.path(), verb);
    }

    private List<RequestInfo> on(RequestInfo subject, UserInfo wanted) {
        List<RequestInfo> rights = new ArrayList<>();
        rights.add(subject);
        if (!wanted.uid().isEmpty()) {
            rights.add(right(AUTHENTICATION, "", "uids", "", wanted.uid()));
        }
        for (String name : wanted.groups()) {
            rights.add(right(group, "", "groups", "", name));
        }
        wanted.extra().entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(extra -> {
            for (String value : extra.getValue()) {
                rights.add(right(AUTHENTICATION, "", "userextras", extra.getKey(), value));
            }
        });
        return rights;
    }

    private RequestInfo user(String name) {
        ServiceAccountName account = ServiceAccountName.of(name);
        return account == null
                ? right(group, "", "users", "", name)
                : right(group, account.namespace(), "serviceaccounts", "", account.name());
    }

    private RequestInfo right(String apiGroup, String namespace, String resource, String subresource, String name) {
        return new RequestInfo(
                true,
                "",
                verb,
                apiGroup.isEmpty() ? "api" : "apis",
                apiGroup,
                "v1",
                namespace,
                resource,
                subresource,
                name,
                "");
    }
}
