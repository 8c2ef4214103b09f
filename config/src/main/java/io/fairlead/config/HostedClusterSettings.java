package io.fairlead.config;

import java.time.Duration;
import java.util.List;

/** The times of hosted clusters, and what they may lead to; how much they may hold is among the limits. */
public record HostedClusterSettings(
        @Setting(value = "1m", meaning = "after which a watch that allows bookmarks and has nothing to say gets one")
        Duration bookmarkInterval,

        @Setting(
                value = "30m",
                meaning = "a watch without timeoutSeconds ends between this and twice this (kube-apiserver's"
                        + " --min-request-timeout)")
        Duration watchTimeoutMin,

        @Setting(value = "3s", meaning = "how long a read waits for a resourceVersion that is not there yet; then 504")
        Duration futureRevisionWait,

        @Setting(
                value = "5m",
                meaning = "how often the store forgets what is older than one such interval (kube-apiserver's"
                        + " --etcd-compaction-interval); a list that goes on for longer is 410")
        Duration compactionInterval,

        @Setting(
                value = "1h",
                meaning = "after which an Event is deleted, give or take five minutes (kube-apiserver's --event-ttl)")
        Duration eventLifetime,

        @Setting(
                meaning = "CIDR blocks of what APIServices and conversion webhooks of hosted clusters may lead to; none"
                        + " where empty, since who writes those chooses what the gateway connects to")
        List<String> backendAddresses) {
    public HostedClusterSettings {
        backendAddresses = List.copyOf(backendAddresses);
    }
}
