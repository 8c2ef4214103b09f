package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TransportTest {
    @ParameterizedTest
    @EnumSource
    void loopsThatEnd_inWhicheverPartOfATurn_closeTheirChannels(Transport transport) throws InterruptedException {
        EventLoopGroup loops = transport.newGroup(1, "test");
        Channel listening = new ServerBootstrap()
                .group(loops)
                .channelFactory(transport.serverChannels())
                .childHandler(new ChannelInboundHandlerAdapter())
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();

        loops.execute(() -> Transport.end(loops, Duration.ofSeconds(5)));

        assertThat(loops.terminationFuture().await(5_000)).isTrue();
        assertThat(listening.isOpen()).isFalse();
    }
}
