package org.onesided.server;

/**
 * What the parts for a cluster end the server with. Thread-safe.
 */
final class MemberEnd implements ServerEnd
{
    private final ServerFailure failure;

    MemberEnd(final ServerFailure failure)
    {
        this.failure = failure;
    }

    @Override
    public void fail(final Error cause)
    {
        failure.fail("changing members has failed", cause);
    }

    @Override
    public void beginAnew(final String reason)
    {
        failure.beginAnew(reason, new IllegalStateException(reason));
    }

    @Override
    public void beginAnewInOrder(final String reason)
    {
        failure.beginAnewInOrder(reason);
    }
}
