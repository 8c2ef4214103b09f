package io.fairlead.fleet.publication;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.publication.Progress.Observed;
import io.fairlead.fleet.publication.Publication.Version;
import io.fairlead.fleet.required.ApiServiceCondition;
import io.fairlead.fleet.root.Condition;
import io.fairlead.model.GroupVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Publishes in one target, a look at a time: each step is looked at in its order, what is missing is made, and read again to
 * see whether it is there. The first step that is not done ends a look. Nothing is remembered from one look to the next but
 * what the target has.
 *
 * <p>An APIService is created, or changed, only after all before it was looked at again at that moment; one that is there is
 * neither changed nor deleted because a step before it is not done any more.
 *
 * <p>Threads: one virtual thread at a time; calls block.
 */
final class Publishing {
    /** The first minor version of Kubernetes whose aggregation layer needs no Endpoints. */
    private static final int SLICES_ALONE_SINCE = 34;

    /** What the aggregation layer says of a backend that did not answer its check. */
    private static final String FAILED_CHECK = "FailedDiscoveryCheck";

    private static final int TIME_CHARS_MAX = 64;
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,4}");

    private final Publication publication;
    private final Peers peers;
    private final String installation;
    private final TargetApi target;
    private final Source source;
    private final Progress.Builder progress = new Progress.Builder();
    private final List<ObjectNode> registered = new ArrayList<>();

    /** The APIServices of the publication as the look began, of versions that are wanted or not. */
    private final Map<GroupVersion, ObjectNode> stored = new HashMap<>();

    /** The certificates that sign the source's; known once it was probed. */
    private String caBundle = "";

    /**
     * Publishes.
     *
     * @param installation the uid that distinguishes this Fairlead's objects from others
     */
    Publishing(Publication publication, Peers peers, String installation, TargetApi target, Source source) {
        this.publication = publication;
        this.peers = peers;
        this.installation = installation;
        this.target = target;
        this.source = source;
    }

    /** A look; {@link Look} says what a step does in one. */
    @FunctionalInterface
    private interface Look {
        Observed now() throws StepFailure, InterruptedException;
    }

    /** Looks once at every step, up to the first that is not done. */
    Progress look() throws InterruptedException {
        if (peers.isRegistered(publication) && claimOfOthers().isEmpty()) {
            source.resume(publication, target);
        }
        boolean isReady = step(Step.CLAIMED, this::claimed)
                && step(Step.SERVICE, this::service)
                && step(Step.ENDPOINTS, this::endpoints)
                && step(Step.PROBE, this::probed);
        boolean isRegistered = isReady ? step(Step.REGISTERED, this::register) : isStillRegistered();
        if (isRegistered) {
            step(Step.AVAILABLE, () -> available(isReady));
        }
        return progress.build();
    }

    private boolean step(Step step, Look look) throws InterruptedException {
        Observed observed;
        try {
            observed = look.now();
        } catch (StepFailure failure) {
            observed = failure.observed();
        }
        progress.add(step, observed);
        return observed.isDone();
    }

    private Observed claimed() throws StepFailure, InterruptedException {
        for (ObjectNode own : Withdrawal.apiServices(target, publication, installation)) {
            stored.put(
                    new GroupVersion(
                            publication.group(), own.at("/spec/version").asString("")),
                    own);
        }
        progress.registered(!stored.isEmpty());
        for (GroupVersion version : publication.groupVersions()) {
            Optional<ObjectNode> found = target.get(PublishedObject.apiServicePath(version));
            if (found.isPresent()) {
                requireOwn(found.get(), version);
                registered.add(found.get());
            }
        }
        Optional<StepFailure> claimed = claimOfOthers();
        if (claimed.isPresent()) {
            throw claimed.get();
        }
        var _ = own(PublishedObject.service(publication.backend(), installation));
        var _ = own(PublishedObject.slice(publication.backend(), installation));
        return Observed.done("");
    }

    /** What another publication has instead. */
    private Optional<StepFailure> claimOfOthers() {
        for (GroupVersion version : publication.groupVersions()) {
            Optional<Publication> other = peers.routerInsteadOf(publication, version);
            if (other.isPresent()) {
                return Optional.of(Conflicts.router(version, other.get()));
            }
        }
        return peers.shapeInsteadOf(publication).map(other -> Conflicts.shape(publication, other));
    }

    /** An APIService that another publication of this installation has left behind is taken over. */
    private void requireOwn(JsonNode apiService, GroupVersion version) throws StepFailure {
        if (!PublishedObject.isOf(apiService, installation)) {
            throw Conflicts.stranger(apiService, version);
        }
        String uid = PublishedObject.publicationOf(apiService);
        Optional<Publication> other = peers.byUid(uid).filter(_ -> !uid.equals(publication.uid()));
        if (other.isPresent()) {
            throw Conflicts.router(version, other.get());
        }
    }

    private Observed service() throws StepFailure, InterruptedException {
        PublishedObject wanted = PublishedObject.service(publication.backend(), installation);
        ObjectNode service = there(wanted, "ServiceNotFound");
        String address = service.at("/spec/clusterIP").asString("");
        if (address.isEmpty() || address.equals("None")) {
            throw new StepFailure(
                    "ServiceWithoutAddress",
                    "Service " + publication.backend().path() + " has clusterIP \"" + address
                            + "\" (expected an address, without which the aggregation layer reaches nothing)");
        }
        return done(service);
    }

    private Observed endpoints() throws StepFailure, InterruptedException {
        ObjectNode slice = there(PublishedObject.slice(publication.backend(), installation), "EndpointsNotFound");
        if (isBeforeSlices()) {
            there(PublishedObject.endpoints(publication.backend(), installation), "EndpointsNotFound");
        }
        return done(slice);
    }

    private boolean isBeforeSlices() throws StepFailure, InterruptedException {
        JsonNode version = target.get("/version")
                .orElseThrow(() -> new StepFailure("VersionUnknown", "the target says no version at /version"));
        Matcher minor = DIGITS.matcher(version.path("minor").asString(""));
        if (!minor.find()) {
            throw new StepFailure("VersionUnknown", "the target's minor version has no digits");
        }
        return Integer.parseInt(minor.group()) < SLICES_ALONE_SINCE;
    }

    private Observed probed() throws StepFailure, InterruptedException {
        caBundle = source.prepare(publication, stored.keySet(), target);
        for (String address : publication.backend().addresses()) {
            for (GroupVersion version : publication.groupVersions()) {
                source.probe(publication, address, version, caBundle);
            }
        }
        return Observed.done("");
    }

    private Observed register() throws StepFailure, InterruptedException {
        registered.clear();
        List<String> changed = new ArrayList<>();
        for (Version version : publication.versions()) {
            PublishedObject wanted = PublishedObject.apiService(publication, version, caBundle, installation);
            Optional<ObjectNode> found = target.get(wanted.path());
            if (found.isPresent()) {
                requireOwn(found.get(), new GroupVersion(publication.group(), version.name()));
                registered.add(found.get());
            }
            if (found.isEmpty() || !wanted.isAsWanted(found.get())) {
                requireBackend();
                if (!source.isCurrent(caBundle)) {
                    throw new StepFailure(
                            "CertificateChanged", "the CA of the backend's certificate is another one by now");
                }
                progress.registered(true);
                make(wanted, found);
                changed.add(Publication.apiService(new GroupVersion(publication.group(), version.name())));
            }
        }
        if (!changed.isEmpty()) {
            throw new StepFailure("APIServiceNotFound", "was just stored: " + String.join(", ", changed));
        }
        removeOthers();
        if (publication.groupVersions().containsAll(stored.keySet())) {
            progress.trusted(caBundle);
        }
        return done(registered.getLast());
    }

    /** Both are as they were, at this moment. */
    private void requireBackend() throws StepFailure, InterruptedException {
        service();
        endpoints();
    }

    /** Those of versions that are published no more. */
    private void removeOthers() throws StepFailure, InterruptedException {
        for (Map.Entry<GroupVersion, ObjectNode> each : stored.entrySet()) {
            if (!publication.groupVersions().contains(each.getKey())) {
                target.deleteApiService(each.getValue());
            }
        }
    }

    /** Whether all are stored although a step before is not done; nothing is changed then. */
    private boolean isStillRegistered() {
        boolean isComplete = registered.size() == publication.versions().size();
        if (isComplete) {
            progress.add(Step.REGISTERED, done(registered.getLast()));
        }
        return isComplete;
    }

    private Observed available(boolean isReady) throws StepFailure, InterruptedException {
        for (ObjectNode apiService : registered) {
            Finding available = ApiServiceCondition.available(apiService);
            if (available.status() != Finding.Status.TRUE) {
                if (isReady) {
                    haveChecked();
                }
                throw new StepFailure(
                        available.reason(),
                        "APIService " + apiService.at("/metadata/name").asString("") + " is not available: "
                                + available.message());
            }
        }
        return done(registered.getLast());
    }

    /**
     * Has the target check what it found unable to answer, and what answers by now. It would not do so for as long as the outage
     * took, up to half a minute (the rate limiter of kube-aggregator's remote available controller); a change of the APIService
     * has it check at once.
     */
    private void haveChecked() throws StepFailure, InterruptedException {
        for (ObjectNode apiService : registered) {
            String since = outageNotChecked(apiService);
            if (!since.isEmpty()) {
                ObjectNode touched = apiService.deepCopy();
                touched.withObjectProperty("metadata")
                        .withObjectProperty("annotations")
                        .put(PublishedObject.CHECK_AGAIN, since);
                requireBackend();
                target.replaceApiService(touched);
            }
        }
    }

    /** Since when a target says that an APIService does not answer, once for each time; empty if it does not, or was checked. */
    private static String outageNotChecked(ObjectNode apiService) {
        JsonNode condition = Condition.in(apiService.path("status"), Condition.AVAILABLE);
        String since = condition.path("lastTransitionTime").asString("");
        boolean isOutage = condition.path("status").asString("").equals("False")
                && condition.path("reason").asString("").equals(FAILED_CHECK)
                && since.length() <= TIME_CHARS_MAX;
        boolean isChecked = apiService
                .at("/metadata/annotations")
                .path(PublishedObject.CHECK_AGAIN)
                .asString("")
                .equals(since);
        return isOutage && !isChecked ? since : "";
    }

    /**
     * An object as it should be. One that is not is made or corrected, and read again: at once as long as nothing depends on it and it
     * was not relied on in this look, otherwise by the next look, so that the status says that it was missing.
     */
    private ObjectNode there(PublishedObject wanted, String reason) throws StepFailure, InterruptedException {
        Optional<ObjectNode> found = own(wanted);
        if (found.isPresent() && wanted.isAsWanted(found.get())) {
            return found.get();
        }
        make(wanted, found);
        if (stored.isEmpty() && caBundle.isEmpty()) {
            Optional<ObjectNode> made = own(wanted);
            if (made.isPresent() && wanted.isAsWanted(made.get())) {
                return made.get();
            }
        }
        throw new StepFailure(
                reason, wanted.path() + (found.isEmpty() ? " was not there" : " was not as wanted") + "; it is made");
    }

    /** An object as it is, if it is there; one of others is a conflict. */
    private Optional<ObjectNode> own(PublishedObject object) throws StepFailure, InterruptedException {
        Optional<ObjectNode> found = target.get(object.path());
        if (found.isPresent() && !PublishedObject.isOf(found.get(), installation)) {
            throw Conflicts.stranger(object);
        }
        return found;
    }

    private void make(PublishedObject wanted, Optional<ObjectNode> found) throws StepFailure, InterruptedException {
        if (found.isEmpty()) {
            target.create(wanted.collection(), wanted.wanted());
        } else {
            target.replace(wanted.path(), wanted.corrected(found.get()));
        }
    }

    private static Observed done(JsonNode object) {
        return Observed.done(object.at("/metadata/resourceVersion").asString(""));
    }
}
