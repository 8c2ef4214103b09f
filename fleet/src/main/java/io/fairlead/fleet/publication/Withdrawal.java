package io.fairlead.fleet.publication;

import io.fairlead.fleet.publication.Progress.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes a publication out of one target, a look at a time: the APIServices first, and only once they are gone the endpoints
 * and then the Service, if no other publication has them. What others have made is not touched.
 *
 * <p>Threads: one virtual thread at a time; calls block.
 */
final class Withdrawal {
    private final Publication publication;
    private final Peers peers;
    private final String installation;
    private final TargetApi target;

    Withdrawal(Publication publication, Peers peers, String installation, TargetApi target) {
        this.publication = publication;
        this.peers = peers;
        this.installation = installation;
        this.target = target;
    }

    /** Looks once. */
    Progress look() throws InterruptedException {
        Progress.Builder progress = new Progress.Builder();
        try {
            withdraw(progress);
            progress.add(Step.WITHDRAWN, Observed.done(""));
        } catch (StepFailure failure) {
            progress.add(Step.WITHDRAWN, failure.observed());
        }
        return progress.build();
    }

    private void withdraw(Progress.Builder progress) throws StepFailure, InterruptedException {
        List<ObjectNode> left = apiServices(target, publication, installation);
        progress.registered(!left.isEmpty());
        for (ObjectNode apiService : left) {
            target.deleteApiService(apiService);
        }
        if (!left.isEmpty()) {
            throw new StepFailure("APIServicesDeleting", left.size() + " APIServices were there until now");
        }
        if (peers.isBackendHeldWithout(publication)) {
            return;
        }
        requireUnused();
        remove(PublishedObject.slice(publication.backend(), installation));
        remove(PublishedObject.endpoints(publication.backend(), installation));
        remove(PublishedObject.service(publication.backend(), installation));
    }

    /** Whatever publication they are of, and whatever keeps them. */
    private void requireUnused() throws StepFailure, InterruptedException {
        for (ObjectNode apiService : labelled(target, PublishedObject.INSTALLATION, installation)) {
            JsonNode service = apiService.at("/spec/service");
            if (service.path("namespace")
                            .asString("")
                            .equals(publication.backend().namespace())
                    && service.path("name")
                            .asString("")
                            .equals(publication.backend().service())) {
                throw new StepFailure(
                        "BackendInUse",
                        "APIService " + apiService.at("/metadata/name").asString("") + " still leads to Service "
                                + publication.backend().path());
            }
        }
    }

    private void remove(PublishedObject object) throws StepFailure, InterruptedException {
        Optional<ObjectNode> found = target.get(object.path());
        if (found.isPresent() && PublishedObject.isOf(found.get(), installation)) {
            target.delete(object.path(), found.get());
            throw new StepFailure("BackendDeleting", object.path() + " was there until now");
        }
    }

    /** The APIServices of a publication, by its uid. */
    static List<ObjectNode> apiServices(TargetApi target, Publication publication, String installation)
            throws StepFailure, InterruptedException {
        List<ObjectNode> own = new ArrayList<>();
        for (ObjectNode object : labelled(target, PublishedObject.PUBLICATION_UID, publication.uid())) {
            if (PublishedObject.isOf(object, installation)) {
                own.add(object);
            }
        }
        return own;
    }

    private static List<ObjectNode> labelled(TargetApi target, String label, String value)
            throws StepFailure, InterruptedException {
        String path = PublishedObject.API_SERVICES + "?labelSelector=" + label.replace("/", "%2F") + "%3D" + value;
        JsonNode list = target.get(path)
                .orElseThrow(() -> new StepFailure(
                        "AggregationMissing",
                        "the target has no apiregistration.k8s.io/v1 (expected an aggregation layer)"));
        List<ObjectNode> all = new ArrayList<>();
        for (JsonNode item : list.path("items").values()) {
            if (item instanceof ObjectNode object) {
                all.add(object);
            }
        }
        return all;
    }
}
