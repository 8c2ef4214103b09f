package io.fairlead.canary.walls;

import io.netty.channel.Channel;

/** In a signature alone. */
interface UsesNetty {
    Channel channel();
}
