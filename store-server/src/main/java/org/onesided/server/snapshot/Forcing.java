package org.onesided.server.snapshot;

import java.io.IOException;

/** Makes something durable. */
@FunctionalInterface
public interface Forcing
{
    /**
     * Returns when it is durable.
     *
     * @throws IOException if that fails.
     */
    void force() throws IOException;
}
