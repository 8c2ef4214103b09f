package io.fairlead.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The bounds of the front end, and of what requests and clusters keep in memory. */
public record LimitSettings(
        @Setting(
                value = "20000",
                meaning = "open connections, fewer where the process has not the descriptors or the direct memory"
                        + " for them; beyond it one on which no caller has authenticated is closed, the oldest"
                        + " of the address that has most of these, or the new one if there is none")
        int connectionsMax,

        @Setting(value = "2000", meaning = "open connections of one client address")
        int connectionsPerAddressMax,

        @Setting(
                meaning = "open connections of one caller, which are those on which it was the first to authenticate;"
                        + " beyond it 429; by default a quarter of how many there may be")
        @Nullable
        Integer connectionsPerCallerMax,

        @Setting(value = "10s", meaning = "until a client's TLS handshake is done; then closed")
        Duration handshakeTimeout,

        @Setting(value = "3m", meaning = "after which a client's connection without a request is closed")
        Duration connectionIdleTimeout,

        @Setting(value = "10s", meaning = "until a request's head is complete; then 408")
        Duration headTimeout,

        @Setting(value = "8Ki", meaning = "a request's target; beyond it 414")
        ByteSize targetBytesMax,

        @Setting(value = "64Ki", meaning = "all header fields of a request; beyond it 431")
        ByteSize headBytesMax,

        @Setting(value = "200", meaning = "header fields of a request; beyond it 431")
        int headerFieldsMax,

        @Setting(
                meaning = "what all connections hold of records, heads and frames that are not complete; beyond it"
                        + " those that hold most for longest are closed; by default a quarter of the direct memory")
        @Nullable
        ByteSize unparsedBytesMax,

        @Setting(
                meaning = "what waits of all answers, since clients do not read it, and 2 KiB for each; beyond it"
                        + " answers of the cluster, and in it of the caller, for which most waits are ended, those"
                        + " with most for longest; by default a quarter of the direct memory")
        @Nullable
        ByteSize unreadBytesMax,

        @Setting(value = "250", meaning = "concurrent streams of an HTTP/2 connection")
        int streamsMax,

        @Setting(value = "30s", meaning = "in which the frames of an HTTP/2 connection are counted")
        Duration floodWindow,

        @Setting(
                value = "200",
                meaning = "requests that one caller gives up in a floodWindow, on all connections, be it by a"
                        + " reset over HTTP/2 or by leaving over HTTP/1.1, ten times as many once their answers"
                        + " have begun; beyond it the connection is closed, and the caller refused until the"
                        + " window is over")
        int streamResetsMax,

        @Setting(
                value = "1000",
                meaning = "HTTP/2 frames in a floodWindow that belong to no request, such as SETTINGS and PING, and"
                        + " WINDOW_UPDATE beyond two for each frame that was sent to the client and one for each"
                        + " KiB; beyond it the connection is closed")
        int controlFramesMax,

        @Setting(value = "10", meaning = "empty DATA frames in a row; beyond it the connection is closed")
        int emptyFramesMax,

        @Setting(value = "16", meaning = "small CONTINUATION frames of a head; beyond it the connection is closed")
        int continuationsMax,

        @Setting(
                value = "3Mi",
                meaning = "a request's body to a hosted cluster, and no more than a tenth of"
                        + " bufferedBytesPerCallerMax; a stored object may be twice as large, its managed fields"
                        + " included; beyond it 413")
        ByteSize hostedBodyBytesMax,

        @Setting(
                meaning = "the part of bufferedBytesMax that lists and watches of hosted clusters may take, their"
                        + " history included; beyond it 429; by default five eighths of it")
        @Nullable
        ByteSize hostedBytesMax,

        @Setting(meaning = "of it lists and watches of one cluster; by default a quarter of hostedBytesMax") @Nullable
        ByteSize hostedBytesPerClusterMax,

        @Setting(
                meaning = "the same, of one caller in all hosted clusters together; by default an eighth of"
                        + " hostedBytesMax")
        @Nullable
        ByteSize hostedBytesPerCallerMax,

        @Setting(value = "2", meaning = "pages of lists that one hosted cluster encodes at once; others wait, then 429")
        int hostedPagesPerClusterMax,

        @Setting(
                value = "4Mi",
                meaning = "of a hosted resource's changes are kept in memory for watches; older ones are read from"
                        + " the store")
        ByteSize watchHistoryBytesPerResourceMax,

        @Setting(value = "1024", meaning = "the same, their number")
        int watchHistoryEventsPerResourceMax,

        @Setting(
                value = "4Mi",
                meaning = "by which a watch of a hosted cluster may fall behind; beyond it the watch ends")
        ByteSize watchBufferBytesMax,

        @Setting(value = "1024", meaning = "the same, their number; beyond it the watch ends")
        int watchBufferEventsMax,

        @Setting(
                meaning = "CustomResourceDefinitions of all hosted clusters, as they are stored and 1,280 bytes for"
                    + " each version; beyond it a new or larger one is 403; by default a fortieth of the heap, since"
                    + " what is made of them takes twelve times as much")
        @Nullable
        ByteSize hostedDefinitionBytesMax,

        @Setting(meaning = "of it those of one cluster; by default half of hostedDefinitionBytesMax") @Nullable
        ByteSize hostedDefinitionBytesPerClusterMax,

        @Setting(
                meaning = "what hosted clusters keep in memory of namespaces, RBAC objects and owner references, as"
                        + " estimated; beyond it a new or larger one is 403, but not in cluster root; by default an"
                        + " eighth of the heap")
        @Nullable
        ByteSize hostedKeptBytesMax,

        @Setting(meaning = "of it that of one cluster; by default half of hostedKeptBytesMax") @Nullable
        ByteSize hostedKeptBytesPerClusterMax,

        @Setting(
                meaning = "what the objects of hosted clusters take in the heap while requests read and change them, as"
                        + " estimated: a half of it for ordinary ones, of which one cluster gets a half and one caller"
                        + " a quarter, and a half for larger ones, of which a caller has one at a time; beyond it a"
                        + " request waits, then 429; a change that takes more than all of it is answered with"
                        + " 413; by default three eighths of the heap, and no more than 512Mi for each processor")
        @Nullable
        ByteSize hostedWorkBytesMax,

        @Setting(value = "100Mi", meaning = "a request's body to an attached cluster; beyond it 413")
        ByteSize proxiedBodyBytesMax,

        @Setting(value = "1Ki", meaning = "a second of a request's body that is waited for; below it 408")
        ByteSize bodyBytesPerSecondMin,

        @Setting(value = "30s", meaning = "over which the pace of a body is judged")
        Duration bodyPaceWindow,

        @Setting(
                meaning = "what requests that are under way keep in the heap: bodies, ten times their size once they"
                        + " are complete, lists and watches of hosted clusters and their history; beyond it"
                        + " 429; by default a quarter of the heap")
        @Nullable
        ByteSize bufferedBytesMax,

        @Setting(meaning = "of it bodies of requests to one cluster; by default three eighths of bufferedBytesMax")
        @Nullable
        ByteSize bufferedBytesPerClusterMax,

        @Setting(meaning = "of it bodies of requests of one caller; by default a quarter of bufferedBytesMax") @Nullable
        ByteSize bufferedBytesPerCallerMax,

        @Setting(value = "64Ki", meaning = "of an answer wait for its reader; more is held back at its source")
        ByteSize answerQueueBytesMax,

        @Setting(
                value = "60s",
                meaning = "after which an answer is ended whose client reads nothing of a full queue; logs and"
                        + " upgrades wait for ever")
        Duration stalledReaderTimeout,

        @Setting(value = "20", meaning = "failed authentications of one client address a second; then 429")
        int failedAuthenticationsPerSecondMax,

        @Setting(value = "2000", meaning = "short calls that are under way at once; more of them wait")
        int shortCallsMax,

        @Setting(value = "400", meaning = "the same, of one cluster")
        int shortCallsPerClusterMax,

        @Setting(value = "200", meaning = "the same, of one caller in one cluster")
        int shortCallsPerCallerMax,

        @Setting(
                value = "20",
                meaning = "requests to the gateway itself (/fairlead/v1, /metrics) of one caller; beyond it 429")
        int gatewayCallsPerCallerMax,

        @Setting(value = "5s", meaning = "for which a short call waits for its turn; then 429")
        Duration queueWait,

        @Setting(
                value = "8Mi",
                meaning =
                        "heads of short calls that wait, and 1Ki for each; beyond it the newest one of the caller that"
                                + " takes most of it gets 429")
        ByteSize queuedBytesMax,

        @Setting(value = "1Mi", meaning = "the same, of one cluster")
        ByteSize queuedBytesPerClusterMax,

        @Setting(value = "20000", meaning = "open watches of one cluster; beyond it 429")
        int watchesPerClusterMax,

        @Setting(value = "10000", meaning = "the same, of one caller in one cluster")
        int watchesPerCallerMax,

        @Setting(
                meaning = "what open watches, logs, proxied calls and upgraded streams keep in the heap, counted as the"
                        + " sum of 8Ki, 40 times the length of its query and 3 times that of its target and header"
                        + " fields, for each: 14Ki for a usual watch; beyond it 429; by default a quarter of the heap")
        @Nullable
        ByteSize longRunningBytesMax,

        @Setting(meaning = "of it those of one cluster; by default three quarters of longRunningBytesMax") @Nullable
        ByteSize longRunningBytesPerClusterMax,

        @Setting(
                meaning = "the same, of one caller in one cluster; by default three quarters of"
                        + " longRunningBytesPerClusterMax")
        @Nullable
        ByteSize longRunningBytesPerCallerMax,

        @Setting(
                value = "1000",
                meaning = "open logs, proxied calls and upgraded streams of one cluster; beyond it 429")
        int upgradesPerClusterMax,

        @Setting(value = "500", meaning = "the same, of one caller in one cluster")
        int upgradesPerCallerMax,

        @Setting(
                value = "100",
                meaning = "requests that wait to hear of one attached cluster what their users may do; beyond"
                        + " it 429")
        int accessReviewsPerClusterMax,

        @Setting(value = "25", meaning = "the same, of one caller")
        int accessReviewsPerCallerMax,

        @Setting(
                value = "10s",
                meaning = "until an attached cluster has said whether a user may do something; then 504")
        Duration accessReviewTimeout,

        @Setting(
                value = "100",
                meaning = "requests that wait to hear of one attached cluster whose their tokens are, those under names"
                        + " that belong to no cluster among them; beyond it 429")
        int tokenReviewsPerClusterMax,

        @Setting(
                value = "10s",
                meaning = "until an attached cluster has said whose a token is; then it is not accepted, 401")
        Duration tokenReviewTimeout,

        @Setting(
                value = "10s",
                meaning = "how long the answer of an attached cluster whether a user may do something is held for true,"
                        + " so that a right that was taken away holds on; of tokens it is 10 s, and of a refusal 5"
                        + " s, by no key")
        Duration accessReviewLifetime,

        @Setting(
                value = "16Mi",
                meaning = "lines of the audit log that are not written yet; beyond it they are left out and counted")
        ByteSize auditQueueBytesMax,

        @Setting(
                value = "100Ki",
                meaning = "a body in a line of the audit log, in JSON; beyond it the line is without it and says so")
        ByteSize auditBodyBytesMax,

        @Setting(
                value = "20",
                meaning = "lines of the audit log a second of callers who are not known (401), for one client address;"
                        + " beyond it they are left out and counted")
        int auditedUnknownCallersPerSecondMax,

        @Setting(
                value = "4Mi",
                meaning = "spans of traces that are not sent yet; beyond it they are left out and counted")
        ByteSize traceQueueBytesMax,

        @Setting(
                value = "100",
                meaning = "requests a second of one caller that are traced because the caller says so in traceparent;"
                        + " beyond it tracing.samplingRatePerMillion decides")
        int tracesAskedForPerSecondMax,

        @Setting(
                value = "10000",
                meaning = "callers that 'fairlead top' knows by name, counted once for each cluster, of which none"
                        + " has more than are left for all others; the others of a cluster are one line")
        int usageCallersMax,

        @Setting(value = "1000", meaning = "files of clustersDir; beyond it no change of the folder is applied")
        int clusterFilesMax,

        @Setting(
                meaning = "one page of an attached cluster's list of definitions; beyond it smaller pages are asked"
                        + " for, then the cluster is left alone for five minutes; by default 8Mi to 64Mi, by"
                        + " the heap")
        @Nullable
        ByteSize definitionPageBytesMax,

        @Setting(meaning = "all pages of such a list together; by default a quarter of the heap, 64Mi at least")
        @Nullable
        ByteSize definitionListBytesMax,

        @Setting(value = "8Mi", meaning = "one event of a watch of definitions; beyond it the watch starts again")
        ByteSize definitionEventBytesMax,

        @Setting(
                meaning = "what is kept in memory of the definitions and APIServices of all attached clusters, as"
                        + " estimated; beyond it a cluster's are listed again every five minutes only; by default a"
                        + " quarter of the heap")
        @Nullable
        ByteSize attachedKeptBytesMax,

        @Setting(meaning = "of it that of one cluster; by default a quarter of attachedKeptBytesMax") @Nullable
        ByteSize attachedKeptBytesPerClusterMax) {}
