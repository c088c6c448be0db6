package org.onesided.jcache;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.onesided.client.StoreClient;
import org.onesided.junit.OnesidedServer;
import org.onesided.junit.TestStore;
import org.onesided.testing.LoggedErrors;

/**
 * A server, a client of it that is no cache, and cache managers that are closed behind each test.
 */
@OnesidedServer
@ExtendWith(LoggedErrors.class)
abstract class CacheFixture
{
    private Managers managers;
    private StoreClient client;

    @BeforeEach
    final void open(final TestStore store)
    {
        managers = new Managers(store);
        client = store.client();
    }

    @AfterEach
    final void close()
    {
        managers.close();
    }

    final Managers managers()
    {
        return managers;
    }

    final StoreClient client()
    {
        return client;
    }
}
