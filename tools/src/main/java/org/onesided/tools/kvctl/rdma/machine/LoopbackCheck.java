package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.VerbsException;

/**
 * Checks that an RDMA READ from this device to itself returns the right bytes, which needs everything above.
 */
record LoopbackCheck(Host host, Choice choice) implements Check
{
    static final String TOPIC = "loopback";

    @Override
    public List<Finding> findings()
    {
        if (!choice.isComplete())
        {
            return List.of(Finding.skip(TOPIC, "not tried without a path"));
        }
        try
        {
            Loopback.read(choice.device().context(), choice.path());
            return List.of(
                Finding.pass(TOPIC, "one queue pair READ the right " + Loopback.LENGTH + " bytes of another"));
        }
        catch (final VerbsException e)
        {
            return List.of(Finding.fail(TOPIC, e.getMessage(), advice(e)));
        }
    }

    Advice[] advice(final VerbsException failure)
    {
        final boolean isUnanswered =
            failure.getMessage().contains(CompletionStatus.name(CompletionStatus.RETRY_EXC_ERR));
        return isUnanswered ?
            new Advice[]{host.asRoot(
                "RoCE v2 travels as UDP to port 4791: see that no firewall drops it",
                "nft list ruleset | grep -E 'drop|reject|4791'")} :
            new Advice[0];
    }
}
