package io.fairlead.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How attached clusters are followed. */
public record AttachedClusterSettings(
        @Setting(value = "10s", meaning = "between two looks at a cluster's /version")
        Duration probeInterval,

        @Setting(value = "10s", meaning = "until its answer counts as slow")
        Duration probeTimeout,

        @Setting(
                value = "10m",
                meaning =
                        "between two checks of which cluster the endpoints of a registration lead to, and whether they"
                                + " take Fairlead for a front proxy where they need to; new connections and other"
                                + " endpoints are checked as well")
        Duration identityInterval,

        @Setting(
                value = "30s",
                meaning = "how long a watch of a cluster's types may be broken before what is known of them is lost")
        Duration lostAfter,

        @Setting(
                value = "5m",
                meaning = "how long a complete list may take; API servers keep what a list was begun with for five"
                        + " minutes")
        Duration listTimeout,

        @Setting(
                value = "30s",
                meaning = "how long a server may send nothing of a page that is waited for, and no longer than"
                        + " listTimeout")
        Duration pageTimeout,

        @Setting(value = "30s", meaning = "the longest wait before a failed list is tried again")
        Duration retryMax,

        @Setting(
                value = "100",
                meaning = "objects in one page of a list; fewer are asked for after a page was too large")
        int pageObjectsMax,

        @Setting(
                meaning = "lists of all clusters together that hold a page at the same time; more wait; by default one"
                        + " for each 128Mi of the heap, from 4 to 32")
        @Nullable
        Integer listsAtOnceMax) {}
