package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The events of an open watch, read by the test's thread. */
final class Events implements AutoCloseable {
    /** A stream without any. */
    static final ApiResponse.Frames NONE = new ApiResponse.Frames() {
        @Override
        public byte @Nullable [] next() {
            return null;
        }

        @Override
        public void close() {}
    };

    private final ApiResponse.Frames frames;

    Events(ApiResponse.Frames frames) {
        this.frames = frames;
    }

    /** One event. */
    record Event(String type, JsonNode object) {
        String name() {
            return object.at("/metadata/name").asString("");
        }

        long revision() {
            return Long.parseLong(object.at("/metadata/resourceVersion").asString("0"));
        }

        /** What tests compare: {@code ADDED a@7}. */
        String text() {
            return type + " " + name() + "@" + revision();
        }
    }

    /** The next event, null at the end of the stream. */
    @Nullable
    Event nextOrNull() {
        try {
            return event(frames.next());
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while watching", e);
        }
    }

    /** The next event if the watch has it already. */
    @Nullable
    Event nextNow() {
        try {
            return event(frames.nextNow());
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while watching", e);
        }
    }

    private static @Nullable Event event(byte @Nullable [] frame) {
        if (frame == null) {
            return null;
        }
        JsonNode event = Json.read(frame);
        return new Event(event.path("type").stringValue(), event.path("object"));
    }

    Event next() {
        Event event = nextOrNull();
        if (event == null) {
            throw new AssertionError("the watch ended");
        }
        return event;
    }

    /** The texts of so many events. */
    List<String> texts(int count) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(next().text());
        }
        return texts;
    }

    @Override
    public void close() {
        frames.close();
    }
}
