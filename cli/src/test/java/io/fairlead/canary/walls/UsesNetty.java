package io.fairlead.canary.walls;

import io.netty.handler.codec.http.HttpMethod;

/** In a signature alone. */
interface UsesNetty {
    HttpMethod method();
}
