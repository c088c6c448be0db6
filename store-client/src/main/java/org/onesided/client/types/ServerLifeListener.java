package org.onesided.client.types;

/**
 * Called when the server comes back as a new life.
 */
@FunctionalInterface
public interface ServerLifeListener
{
    /**
     * A reconnecting session found another life of the server. Called once per life, on a thread of its own. The
     * session that reconnected waits for the call for at most a second. An exception thrown here is logged and
     * otherwise ignored.
     *
     * @param before the server that was connected.
     * @param now    the server that is connected. Where its table id is another, its table began
     *               empty, or was restored from a backup; else acknowledged writes may be missing from it.
     */
    void onNewServerLife(ServerInfo before, ServerInfo now);
}
