package io.fairlead.gateway;

import io.fairlead.fleet.Fleet;
import io.fairlead.fleet.aggregation.AggregatedApis;
import io.fairlead.fleet.conditions.ConditionRecords;
import io.fairlead.fleet.exclusive.ExclusiveKeys;
import io.fairlead.fleet.exclusive.KeyAdmission;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.pins.PinWarnings;
import io.fairlead.fleet.pins.TypePins;
import io.fairlead.fleet.pins.judge.Judge;
import io.fairlead.fleet.pins.judge.KnownTypes;
import io.fairlead.fleet.publication.BackendProbe;
import io.fairlead.fleet.publication.PublicationPlans;
import io.fairlead.fleet.publication.Publications;
import io.fairlead.fleet.required.RequiredServices;
import io.fairlead.fleet.required.ServedVersions;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.metrics.ConditionMeters;
import io.fairlead.gateway.metrics.ConflictMeters;
import io.fairlead.gateway.metrics.PinMeters;
import io.fairlead.gateway.metrics.PublicationMeters;
import io.fairlead.gateway.pin.PinCheck;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.Supervised;
import io.fairlead.net.UpstreamClient;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Makes and starts what works on the objects of the root cluster beside the fleet. Each is closed with the gateway, and its
 * threads count for readiness.
 *
 * <p>Threads: for the one that starts the gateway.
 *
 * @param closing closes in the opposite order
 * @param work takes the supervised threads
 */
record Controllers(
        HostedCluster root,
        Fleet fleet,
        FleetIndex index,
        InstantSource clock,
        Consumer<AutoCloseable> closing,
        Consumer<Supervised> work) {
    /** Type pins; the check of requests by them. */
    PinCheck pins(Duration maxStaleness, PinWarnings warnings, PinMeters meters) {
        Judge judge = new Judge(new KnownTypes(index, fleet::silentNanos, maxStaleness), index.types());
        PinCheck check = new PinCheck(judge, meters);
        TypePins pins =
                new TypePins(root, index, judge, fleet.facts()::labels, check::use, fleet::typesConsistent, clock);
        closing.accept(pins);
        pins.start();
        warnings.by(pins);
        pins.work().forEach(work);
        return check;
    }

    ConditionRecords records(Informers informers, DataDirectory data, PrometheusMeterRegistry metrics) {
        ConditionRecords records = new ConditionRecords(root, fleet.facts(), informers, data.conditions(), clock);
        closing.accept(records);
        ConditionMeters.bind(metrics, records.counts());
        records.start();
        records.work().forEach(work);
        return records;
    }

    ExclusiveKeys exclusiveKeys(
            Informers informers,
            ClusterAccess access,
            DataDirectory data,
            KeyAdmission admission,
            ConflictMeters meters,
            Random chance)
            throws StartFailure {
        ExclusiveKeys keys = new ExclusiveKeys(
                root,
                fleet.facts(),
                fleet::lookup,
                (user, cluster) -> access.mayEnter(new Identity.OfGateway(user), cluster),
                informers,
                data.keySecret(),
                admission,
                ExclusiveKeys.CLAIMS_BYTES_MAX,
                meters,
                clock,
                chance);
        closing.accept(keys);
        meters.bind(keys);
        keys.start();
        keys.work().forEach(work);
        return keys;
    }

    /** @param probing may reach the addresses of backends, the gateway's own among them */
    Publications publications(
            Informers informers,
            PublicationDoor door,
            UpstreamClient probing,
            PublicationPlans plans,
            PrometheusMeterRegistry metrics) {
        Publications publications = new Publications(
                root,
                fleet.facts(),
                fleet.facts()::which,
                fleet::lookup,
                informers,
                door,
                new BackendProbe(probing),
                clock);
        closing.accept(publications);
        plans.by(publications);
        PublicationMeters.bind(metrics, publications.counts());
        publications.start();
        publications.work().forEach(work);
        return publications;
    }

    /** @param client may reach the addresses of backends of hosted clusters */
    AggregatedApis aggregatedApis(Informers informers, UpstreamClient client, boolean isAllowed) {
        AggregatedApis apis = new AggregatedApis(
                () -> fleet.facts().labels().keySet(), fleet, informers, client, root, isAllowed, clock);
        closing.accept(apis);
        apis.start();
        work.accept(apis.work());
        return apis;
    }

    void requiredServices(Informers informers, Publications publications, AggregatedApis aggregated) {
        RequiredServices services = new RequiredServices(
                informers,
                fleet.facts()::requirements,
                publications::required,
                cluster -> new ServedVersions(
                        fleet.lookup(cluster), index.view(cluster), name -> aggregated.finding(cluster, name)),
                fleet::servicesAvailable);
        closing.accept(services);
        services.start();
        work.accept(services.work());
    }
}
