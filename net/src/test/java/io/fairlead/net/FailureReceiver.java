package io.fairlead.net;

import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;

/** Hears how a request failed, and takes nothing else of it. */
class FailureReceiver implements UpgradeReceiver {
    final CompletableFuture<UpstreamFailure> failure = new CompletableFuture<>();

    @Override
    public void onSwitched(String protocol, MutableFields headers, RawConnection connection) {
        connection.close();
    }

    @Override
    public void onHead(int status, MutableFields headers) {}

    @Override
    public void onData(ByteBuf data) {
        data.release();
    }

    @Override
    public void onEnd() {}

    @Override
    public void onFailure(UpstreamFailure why) {
        failure.complete(why);
    }
}
