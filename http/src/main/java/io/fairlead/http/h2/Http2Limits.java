package io.fairlead.http.h2;

/**
 * What one connection may take.
 *
 * @param streamsMax concurrent streams; a server refuses further ones
 * @param streamWindow what may be under way on one stream before it is consumed, in bytes
 * @param connectionWindow what may be under way on all streams before it is consumed, in bytes
 * @param headBytesMax the names and values of one head together
 * @param headFieldsMax the fields of one head
 * @param windowNanos in which resets and control frames are counted
 * @param resetsMax streams in it that the peer resets, or breaks a rule of
 * @param controlFramesMax frames in it outside of requests, and WINDOW_UPDATE frames beyond what answers need
 * @param emptyFramesMax empty DATA frames in a row
 * @param continuationsMax small CONTINUATION frames of one head
 * @param queueBytesMax what may wait to be sent on one stream until it is not writable any more
 */
public record Http2Limits(
        int streamsMax,
        int streamWindow,
        int connectionWindow,
        int headBytesMax,
        int headFieldsMax,
        long windowNanos,
        int resetsMax,
        int controlFramesMax,
        int emptyFramesMax,
        int continuationsMax,
        int queueBytesMax) {}
