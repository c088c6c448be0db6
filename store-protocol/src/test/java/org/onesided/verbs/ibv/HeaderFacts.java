package org.onesided.verbs.ibv;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.onesided.verbs.Access;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.AttributeMask;
import org.onesided.verbs.CompletionDescriptor;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.PortState;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.QueuePairType;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.SendRequestDescriptor;

/**
 * What the Java constants claim of {@code infiniband/verbs.h}, as expressions in C with the values they must have. All
 * constants of the classes named here take part, so none can be forgotten.
 */
final class HeaderFacts
{
    private static final String OFFSET = "_OFFSET";

    private final List<Fact> facts = new ArrayList<>();

    private HeaderFacts()
    {
    }

    /**
     * @param expression in C.
     * @param value      that the Java constant has.
     * @param constant   its name.
     */
    record Fact(String expression, long value, String constant)
    {
        String assertion()
        {
            return "_Static_assert(" + expression + " == " + value + ", \"" + constant + "\");\n";
        }
    }

    static List<Fact> all()
    {
        final HeaderFacts facts = new HeaderFacts();
        facts.structures();
        facts.numbers();
        return facts.facts;
    }

    private void structures()
    {
        structure(ContextDescriptor.class, "ibv_context", Map.of(
            "POLL_CQ", "ops.poll_cq",
            "REQ_NOTIFY_CQ", "ops.req_notify_cq",
            "POST_SRQ_RECV", "ops.post_srq_recv",
            "POST_SEND", "ops.post_send",
            "POST_RECV", "ops.post_recv"));
        structure(DeviceDescriptor.class, "ibv_device", Map.of());
        structure(DeviceAttributesDescriptor.class, "ibv_device_attr", Map.of());
        structure(PortAttributesDescriptor.class, "ibv_port_attr", Map.of());
        structure(GidEntryDescriptor.class, "ibv_gid_entry", Map.of());
        structure(AsyncEventDescriptor.class, "ibv_async_event", Map.of());
        structure(ProtectionDomainDescriptor.class, "ibv_pd", Map.of());
        structure(MemoryRegionDescriptor.class, "ibv_mr", Map.of());
        structure(CompletionChannelDescriptor.class, "ibv_comp_channel", Map.of());
        structure(CompletionQueueDescriptor.class, "ibv_cq", Map.of());
        structure(SharedReceiveInitDescriptor.class, "ibv_srq_init_attr", Map.of(
            "MAX_WR", "attr.max_wr", "MAX_SGE", "attr.max_sge", "SRQ_LIMIT", "attr.srq_limit"));
        structure(SharedReceiveQueueDescriptor.class, "ibv_srq", Map.of());
        structure(QueuePairDescriptor.class, "ibv_qp", Map.of());
        structure(CapacityDescriptor.class, "ibv_qp_cap", Map.of());
        structure(QueuePairInitDescriptor.class, "ibv_qp_init_attr", Map.of());
        structure(GlobalRouteDescriptor.class, "ibv_global_route", Map.of());
        structure(AddressVectorDescriptor.class, "ibv_ah_attr", Map.of());
        structure(QueuePairAttributesDescriptor.class, "ibv_qp_attr", Map.of());
        structure(ElementDescriptor.class, "ibv_sge", Map.of("ADDRESS", "addr", "LOCAL_KEY", "lkey"));
        structure(ReceiveRequestDescriptor.class, "ibv_recv_wr", Map.of(
            "ID", "wr_id", "ELEMENTS", "sg_list", "ELEMENT_COUNT", "num_sge"));
        structure(SendRequestDescriptor.class, "ibv_send_wr", Map.of(
            "ID", "wr_id",
            "ELEMENTS", "sg_list",
            "ELEMENT_COUNT", "num_sge",
            "FLAGS", "send_flags",
            "IMMEDIATE", "imm_data",
            "REMOTE_ADDRESS", "wr.rdma.remote_addr",
            "REMOTE_KEY", "wr.rdma.rkey",
            "COMPARE_ADD", "wr.atomic.compare_add",
            "SWAP", "wr.atomic.swap",
            "ATOMIC_REMOTE_KEY", "wr.atomic.rkey"));
        fact("offsetof(struct ibv_send_wr, wr.atomic.remote_addr)", SendRequestDescriptor.REMOTE_ADDRESS_OFFSET,
            "SendRequestDescriptor.REMOTE_ADDRESS_OFFSET of atomics");
        structure(CompletionDescriptor.class, "ibv_wc", Map.of(
            "ID", "wr_id",
            "VENDOR_ERROR", "vendor_err",
            "BYTE_LENGTH", "byte_len",
            "IMMEDIATE", "imm_data",
            "QUEUE_PAIR", "qp_num",
            "SOURCE_QUEUE_PAIR", "src_qp",
            "FLAGS", "wc_flags"));
    }

    private void numbers()
    {
        numbers(Opcode.class, "IBV_WR_");
        numbers(SendFlags.class, "IBV_SEND_");
        numbers(CompletionOpcode.class, "IBV_WC_");
        numbers(CompletionStatus.class, "IBV_WC_");
        numbers(AttributeMask.class, "IBV_QP_");
        for (final Field field : constants(Access.class))
        {
            if (!field.getName().equals("REMOTE_ANY"))
            {
                fact("IBV_ACCESS_" + field.getName(), value(field), name(field));
            }
        }
        fact("IBV_WC_WITH_IMM", CompletionDescriptor.WITH_IMMEDIATE, "CompletionDescriptor.WITH_IMMEDIATE");
        for (final QueuePairType type : QueuePairType.values())
        {
            fact("IBV_QPT_" + type, type.value(), "QueuePairType." + type);
        }
        ordinals(QueuePairState.values(), "IBV_QPS_");
        ordinals(PortState.values(), "IBV_PORT_");
        ordinals(Arrays.stream(AsyncEvent.Type.values())
            .filter((type) -> type != AsyncEvent.Type.PEER_REFUSED)
            .toArray(AsyncEvent.Type[]::new), "IBV_EVENT_");
        for (int code = Mtu.LEAST_CODE; code <= Mtu.MOST_CODE; code++)
        {
            fact("IBV_MTU_" + Mtu.bytes(code), code, "Mtu " + code);
        }
    }

    /** Offsets are named after the fields but for the exceptions; what else is there has the name it has in C. */
    private void structure(final Class<?> descriptor, final String structure, final Map<String, String> exceptions)
    {
        for (final Field field : constants(descriptor))
        {
            final String constant = field.getName();
            if (constant.endsWith(OFFSET))
            {
                final String stem = constant.substring(0, constant.length() - OFFSET.length());
                final String member = exceptions.getOrDefault(stem, stem.toLowerCase(Locale.ROOT));
                fact("offsetof(struct " + structure + ", " + member + ")", value(field), name(field));
            }
            else if (constant.equals("LENGTH"))
            {
                // The structure grew: what is there in this version must fit into what is allocated.
                fact(descriptor == PortAttributesDescriptor.class ?
                    "((sizeof(struct ibv_port_attr) + 63) & -64)" : "sizeof(struct " + structure + ")",
                    value(field), name(field));
            }
            else if (constant.endsWith("_LENGTH"))
            {
                final String member =
                    constant.substring(0, constant.length() - "_LENGTH".length()).toLowerCase(Locale.ROOT);
                fact("sizeof(((struct " + structure + " *)0)->" + member + ")", value(field), name(field));
            }
            else if (!constant.equals("WITH_IMMEDIATE"))
            {
                fact("IBV_" + constant, value(field), name(field));
            }
        }
    }

    private void numbers(final Class<?> type, final String prefix)
    {
        for (final Field field : constants(type))
        {
            fact(prefix + field.getName(), value(field), name(field));
        }
    }

    private void ordinals(final Enum<?>[] values, final String prefix)
    {
        for (final Enum<?> value : values)
        {
            fact(prefix + value, value.ordinal(), value.getDeclaringClass().getSimpleName() + "." + value);
        }
    }

    private void fact(final String expression, final long value, final String constant)
    {
        facts.add(new Fact(expression, value, constant));
    }

    private static List<Field> constants(final Class<?> type)
    {
        final List<Field> constants = new ArrayList<>();
        for (final Field field : type.getDeclaredFields())
        {
            if (Modifier.isStatic(field.getModifiers()) && !Modifier.isPrivate(field.getModifiers()))
            {
                constants.add(field);
            }
        }
        if (constants.isEmpty())
        {
            throw new IllegalStateException("no constants: class=" + type);
        }
        return constants;
    }

    private static int value(final Field field)
    {
        try
        {
            return field.getInt(null);
        }
        catch (final IllegalAccessException ex)
        {
            throw new IllegalStateException("not to be read: field=" + field, ex);
        }
    }

    private static String name(final Field field)
    {
        return field.getDeclaringClass().getSimpleName() + "." + field.getName();
    }
}
