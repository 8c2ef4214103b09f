package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.FairleadKind;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether the author of a rule may do what the rule makes Fairlead do, in a cluster: enter it, list and watch the resource and
 * those that are looked up, in all namespaces, and write conditions and delete outputs if the rule says so. A hosted cluster is asked by its RBAC, an attached one by a
 * {@code SubjectAccessReview}.
 *
 * <p>Threads: any virtual one; calls block.
 */
final class AuthorRights {
    private static final List<String> READING = List.of("list", "watch");
    private static final List<String> WITHDRAWING = List.of("list", "watch", "delete");
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
    private static final Finding MAY = Finding.yes("AuthorMayRead", "its author may read the objects");

    private final BiPredicate<UserInfo, ClusterName> mayEnter;
    private final Function<ClusterName, ClusterEntry> lookup;
    private final Informers informers;

    /** In all namespaces of a cluster. */
    private record Right(String verb, GroupVersionResource resource, String subresource) {
        @Override
        public String toString() {
            return verb + " " + resource.groupResource() + (subresource.isEmpty() ? "" : "/" + subresource);
        }
    }

    /** @param mayEnter whether a user of the gateway may enter a cluster */
    AuthorRights(
            BiPredicate<UserInfo, ClusterName> mayEnter,
            Function<ClusterName, ClusterEntry> lookup,
            Informers informers) {
        this.mayEnter = mayEnter;
        this.lookup = lookup;
        this.informers = informers;
    }

    static boolean isServiceAccount(UserInfo user) {
        return user.name().startsWith(SERVICE_ACCOUNT);
    }

    /** Whether the author of a rule has the rights; Unknown if the cluster does not say. */
    Finding of(RuleSpec rule, ClusterName cluster) throws InterruptedException {
        UserInfo author = rule.author().orElse(null);
        if (author == null) {
            return Finding.no(
                    "AuthorUnknown",
                    "who wrote it is not noted (expected the annotation " + Author.ANNOTATION
                            + ", which Fairlead sets: write the rule again)");
        }
        if (isServiceAccount(author) && !cluster.equals(ClusterName.ROOT)) {
            return Finding.no(
                    "AuthorForbidden",
                    "its author \"" + author.name() + "\" is unknown here: a ServiceAccount is one of its own cluster"
                            + " alone (expected a user of the gateway)");
        }
        if (!mayEnter.test(author, cluster)) {
            return Finding.no(
                    "AuthorForbidden",
                    "its author \"" + author.name()
                            + "\" may not enter the cluster (expected the verb access on clusters." + FairleadKind.GROUP
                            + " \"" + cluster + "\" in the root cluster)");
        }
        ClusterEntry entry = lookup.apply(cluster);
        List<String> missing = new ArrayList<>();
        for (Right right : needed(rule, entry instanceof ClusterEntry.Hosted)) {
            try {
                if (!may(author, cluster, entry, right)) {
                    missing.add(right.toString());
                }
            } catch (CallFailure failure) {
                return Finding.unknown(failure.reason(), failure.message());
            }
        }
        return missing.isEmpty()
                ? MAY
                : Finding.no(
                        "AuthorForbidden",
                        "its author \"" + author.name() + "\" may not " + String.join(", ", missing)
                                + " in all namespaces of the cluster");
    }

    /**
     * What Fairlead does for a rule, its author must be allowed to do. A user who may delete all objects can end what others
     * write; so a rule that denies writes gives its author no new power.
     */
    private static List<Right> needed(RuleSpec rule, boolean isHosted) {
        List<Right> rights = new ArrayList<>();
        Stream.concat(Stream.of(rule.resource()), rule.lookups().stream().map(RuleSpec.Lookup::resource))
                .distinct()
                .forEach(resource -> READING.forEach(verb -> rights.add(new Right(verb, resource, ""))));
        if (rule.publishesCondition()) {
            rights.add(new Right("update", rule.resource(), "status"));
        }
        if (isHosted && rule.denies()) {
            rights.add(new Right("delete", rule.resource(), ""));
        }
        if (isHosted) {
            rule.withdraw()
                    .forEach(output -> WITHDRAWING.forEach(verb -> rights.add(new Right(verb, output.resource(), ""))));
        }
        return rights;
    }

    private boolean may(UserInfo author, ClusterName cluster, ClusterEntry entry, Right right)
            throws CallFailure, InterruptedException {
        if (entry instanceof ClusterEntry.Hosted hosted) {
            return hosted.cluster()
                            .authorize(
                                    author,
                                    RequestInfo.resource(right.verb(), right.resource(), "", "", right.subresource()))
                    instanceof Decision.Allowed;
        }
        return informers
                .calls(cluster)
                .review(review(author, right))
                .at("/status/allowed")
                .asBoolean(false);
    }

    private static ObjectNode review(UserInfo author, Right right) {
        ObjectNode review =
                Json.object().put("apiVersion", "authorization.k8s.io/v1").put("kind", "SubjectAccessReview");
        ObjectNode spec = review.putObject("spec").put("user", author.name()).put("uid", author.uid());
        ArrayNode groups = spec.putArray("groups");
        author.groups().forEach(groups::add);
        ObjectNode extra = spec.putObject("extra");
        author.extra().forEach((key, values) -> values.forEach(extra.withArrayProperty(key)::add));
        spec.putObject("resourceAttributes")
                .put("verb", right.verb())
                .put("group", right.resource().group())
                .put("version", right.resource().version())
                .put("resource", right.resource().resource())
                .put("subresource", right.subresource());
        return review;
    }
}
