package io.fairlead.canary.walls;

import io.netty.handler.codec.http.HttpRequest;

/** In a signature alone. */
interface UsesHttpOfNetty {
    HttpRequest request();
}
