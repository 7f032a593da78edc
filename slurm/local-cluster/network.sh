# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Part of local-cluster.sh: nodes in network namespaces, joined by a bridge through shaped links.
# Messages between nodes are thus packets that really wait for each other. Uses its variables.
# shellcheck disable=SC2154  # set by parse_options

# Device names have at most 15 letters. They contain an id of the folder, which identifies the cluster.
network_id() { printf '%04x' $(($(cksum <<<"$folder" | cut -d' ' -f1) % 65536)); }
bridge() { printf 'mimus-%s' "$(network_id)"; }
namespace() { printf 'mimus-%s-%s' "$(network_id)" "$1"; }
namespace_path() { printf '/run/netns/%s' "$(namespace "$1")"; }
switch_port() { printf 'mm%s-%d' "$(network_id)" "${1#node}"; }

# network_address HOST: 1 is this machine on the bridge, 10 + i is node i.
network_address() { printf '10.%d.%d.%d' 77 $((0x$(network_id) % 256)) "$1"; }

# shape NAMESPACE DEVICE: limits what leaves through the device; "" is this machine's own namespace.
shape() {
  local in_space=()
  if [[ -n $1 ]]; then in_space=(-netns "$1"); fi
  tc "${in_space[@]}" qdisc add dev "$2" root handle 1: tbf rate "$rate" burst 256kb latency 50ms ||
    return 1
  if [[ -n $delay ]]; then
    tc "${in_space[@]}" qdisc add dev "$2" parent 1:1 netem delay "$delay"
  fi
}

# Tries everything once in a separate namespace, so that missing features are reported before
# anything is set up.
check_network() {
  local trial
  trial="$(namespace trial)"
  [[ $(id -u) -eq 0 ]] || die 4 "--network makes network namespaces, which needs root; run it with" \
    "sudo, or leave --network out: nodes then share this machine's loopback"
  if ! command -v ip || ! command -v tc; then
    die 4 "--network needs ip and tc; on Debian: apt-get install iproute2"
  fi >/dev/null
  if ! ip netns add "$trial" 2>/dev/null || ! ip link add "$(bridge)" type bridge 2>/dev/null; then
    ip netns delete "$trial" 2>/dev/null || true
    die 4 "--network: this kernel or container allows no network namespaces or bridges; leave" \
      "--network out: nodes then share this machine's loopback"
  fi
  ip link delete "$(bridge)"
  try_shaping "$trial"
  ip netns delete "$trial"
  [[ -z $problem ]] || die 4 "$problem"
}

# Sets `problem` to what tc cannot do in the namespace, or to "".
try_shaping() {
  problem=""
  ip -netns "$1" link set lo up
  local asked_delay="$delay"
  delay=""
  if ! shape "$1" lo 2>/dev/null; then
    problem="--rate $rate: not a rate that tc knows (e.g. 1gbit), or this kernel has no tbf"
  elif [[ -n $asked_delay ]] &&
    ! tc -netns "$1" qdisc add dev lo parent 1:1 netem delay "$asked_delay" 2>/dev/null; then
    problem="--delay $asked_delay: not a delay that tc knows (e.g. 100us), or this kernel has no"
    problem+=" netem (modprobe sch_netem); links without --delay add about 10 us"
  fi
  delay="$asked_delay"
}

add_node_link() {
  local node="$1" host=$((${1#node} + 10)) space port
  space="$(namespace "$node")"
  port="$(switch_port "$node")"
  ip netns add "$space"
  ip link add "$port" type veth peer name eth0 netns "$space"
  ip link set "$port" master "$(bridge)" up
  ip -netns "$space" link set lo up
  ip -netns "$space" address add "$(network_address "$host")/24" dev eth0
  ip -netns "$space" link set eth0 up
  shape "" "$port"
  shape "$space" eth0
}

make_network() {
  local node
  if ip -4 route show | grep -q "^$(network_address 0)/24"; then
    die 4 "--network: $(network_address 0)/24 is in use here; another --folder gives another network"
  fi
  ip link add "$(bridge)" type bridge
  ip address add "$(network_address 1)/24" dev "$(bridge)"
  ip link set "$(bridge)" up
  for node in $(node_names); do add_node_link "$node"; done
  say "network: $nodes namespaces on $(bridge), links of $rate each way${delay:+ with $delay delay}"
}

remove_network() {
  local name
  [[ $(id -u) -eq 0 ]] && command -v ip >/dev/null || return 0
  for name in $(ip netns list 2>/dev/null | awk '{ print $1 }'); do
    if [[ $name == "$(namespace '')"* ]]; then ip netns delete "$name"; fi
  done
  if ip link show dev "$(bridge)" >/dev/null 2>&1; then ip link delete "$(bridge)"; fi
}
